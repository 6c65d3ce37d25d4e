// The body of a random kernel on the host, a step at a time for all threads of a block.
#pragma once
#include <vector>

#include "device_side.cuh"

struct HostSide {
  std::vector<Thread> threads;
  const u32* in;
  u32* sums;
  u32 number;

  HostSide(u32 number, u32 size, const u32* in, u64* out, u32* sums)
      : threads(size), in(in), sums(sums), number(number) {
    for (u32 i = 0; i < size; ++i) {
      threads[i].index = number * size + i;
      threads[i].own = reinterpret_cast<u32*>(out + random_threads * thread_words);
      begin(threads[i], in);
    }
  }
  u32 block() const { return number; }
  template <Step F>
  void each() {
    for (Thread& t : threads) F(t, in);
  }
  // Every thread gets `m` of the thread that `from` names: lane and warp to lane.
  template <class M, class From>
  void gather(M Thread::*m, From from) {
    std::vector<M> old;
    for (const Thread& t : threads) old.push_back(t.*m);
    for (u32 i = 0; i < threads.size(); ++i)
      threads[i].*m = old[i / 32 * 32 + from(i % 32, threads[i])];
  }
  template <class M>
  void flip(M Thread::*m, u32 by) {
    gather(m, [=](u32 lane, Thread&) { return lane ^ by; });
  }
  template <class M>
  void shift_up(M Thread::*m, u32 by) {
    gather(m, [=](u32 lane, Thread&) { return lane >= by ? lane - by : lane; });
  }
  template <class M>
  void shift_down(M Thread::*m, u32 by, u32 width) {
    gather(m, [=](u32 lane, Thread&) { return lane % width + by < width ? lane + by : lane; });
  }
  template <class M>
  void pick(M Thread::*m, Word from) {
    std::vector<u32> wanted;
    for (const Thread& t : threads) wanted.push_back(t.*from & 31);
    const Thread* first = threads.data();
    gather(m, [&](u32, Thread& t) { return wanted[static_cast<std::size_t>(&t - first)]; });
  }
  void flip_halves(Word m, u32 by) {
    std::vector<u32> old;
    for (const Thread& t : threads) old.push_back(t.*m);
    for (u32 i = 0; i < threads.size(); ++i) {
      if (i % 32 < 16) {
        threads[i].*m += old[i ^ by];
        threads[i].u3 += 1;
      } else {
        threads[i].*m ^= old[i ^ by];
      }
    }
  }
  template <class F>
  void each_warp(F act) {
    for (u32 at = 0; at < threads.size(); at += 32) act(threads.data() + at);
  }
  void vote(Word m, Word to) {
    each_warp([&](Thread* warp) {
      u32 ballot = 0;
      for (u32 i = 0; i < 32; ++i) ballot |= (warp[i].*m & 1) << i;
      for (u32 i = 0; i < 32; ++i) warp[i].*to ^= ballot;
    });
  }
  void agree(Word m, Word to) {
    each_warp([&](Thread* warp) {
      bool any = false, all = true;
      for (u32 i = 0; i < 32; ++i) any |= warp[i].*m > 0xf0000000u, all &= (warp[i].*m & 3) != 0;
      for (u32 i = 0; i < 32; ++i) warp[i].*to += (any ? 3 : 0) + (all ? 5 : 0);
    });
  }
  void match(Word m, Word to) {
    each_warp([&](Thread* warp) {
      u32 same[8] = {}, key[32];
      for (u32 i = 0; i < 32; ++i) key[i] = warp[i].*m & 7, same[key[i]] |= 1u << i;
      for (u32 i = 0; i < 32; ++i) warp[i].*to ^= same[key[i]];
    });
  }
  void reduce(Word m, Word to) {
    each_warp([&](Thread* warp) {
      u32 sum = 0, most = 0;
      for (u32 i = 0; i < 32; ++i) sum += warp[i].*m, most = warp[i].*m > most ? warp[i].*m : most;
      for (u32 i = 0; i < 32; ++i) warp[i].*to += sum ^ most;
    });
  }
  template <class M>
  void exchange(M Thread::*m, u32 stride, u32 by) {
    std::vector<M> place;
    for (const Thread& t : threads) place.push_back(t.*m);
    for (u32 i = 0; i < threads.size(); ++i)
      threads[i].*m = place[(i * stride + by) % threads.size()];
  }
  template <class T>
  void exchange_narrow(Word m, u32 stride, u32 by) {
    std::vector<T> place;
    for (const Thread& t : threads) place.push_back(static_cast<T>(t.*m));
    for (u32 i = 0; i < threads.size(); ++i)
      threads[i].*m += static_cast<u32>(place[(i * stride + by) % threads.size()]);
  }
  void exchange_four(u32 stride, u32 by) {
    const std::vector<Thread> old = threads;
    for (u32 i = 0; i < threads.size(); ++i) {
      const Thread& from = old[(i * stride + by) % threads.size()];
      Thread& t = threads[i];
      t.u0 = from.u1, t.u1 = from.u2, t.u2 = from.u3, t.u3 = from.u0;
    }
  }
  void mark(Word where, Word what, Word to) {
    u32 room[64];
    for (u32 i = 0; i < 64; ++i) room[i] = i % 2 == 0 ? ~0u : 0;
    for (const Thread& t : threads) {
      room[t.*where % 16 * 2] &= t.*what | 0xff;
      room[t.*where % 16 * 2 + 1] |= t.*what & 0xff00ff;
      u32& least = room[32 + t.*where % 8 * 2];
      least = t.*what < least ? t.*what : least;
      room[33 + t.*where % 8 * 2] ^= t.*what;
    }
    for (u32 i = 0; i < threads.size(); ++i) threads[i].*to += room[i % 32] ^ room[32 + i % 16];
  }
  void count(Word where, Word what, Word to) {
    u32 room[64] = {};
    for (const Thread& t : threads) {
      room[t.*where % 37] += t.*what;
      u32& most = room[40 + t.*where % 11];
      most = t.*what > most ? t.*what : most;
    }
    for (u32 i = 0; i < threads.size(); ++i) threads[i].*to ^= room[i % 37] + room[40 + i % 11];
  }
  template <Sum S>
  static void add_to(u32& at, u32 what) {
    if (S == Sum::add) at += what;
    if (S == Sum::least) at = what < at ? what : at;
    if (S == Sum::most) at = what > at ? what : at;
    if (S == Sum::flip) at ^= what;
    if (S == Sum::either) at |= what;
    if (S == Sum::both) at &= what;
  }
  template <Sum S>
  void collect(Word where, Word what) {
    for (const Thread& t : threads)
      add_to<S>(sums[64 * static_cast<u32>(S) + t.*where % 64], t.*what);
  }
  void collect_wide(Word where) {
    for (const Thread& t : threads) reinterpret_cast<u64*>(sums + wide_sums)[t.*where % 64] += t.w0;
  }

  // ---- of wide seeds ----

  void match_all(Word m, Word to) {
    each_warp([&](Thread* warp) {
      bool same = true;
      for (u32 i = 1; i < 32; ++i) same &= (warp[i].*m & 0x80000000u) == (warp[0].*m & 0x80000000u);
      for (u32 i = 0; i < 32; ++i) warp[i].*to ^= same ? ~8u : 0;
    });
  }
  void reduce_more(Word m, Word to) {
    each_warp([&](Thread* warp) {
      u32 least = ~0u, both = ~0u, either = 0, flip = 0, lowest = warp[0].*m;
      for (u32 i = 0; i < 32; ++i) {
        const u32 x = warp[i].*m;
        least = x < least ? x : least;
        lowest = static_cast<i32>(x) < static_cast<i32>(lowest) ? x : lowest;
        both &= x | 0xffff, either |= x & 0xffff00, flip ^= x;
      }
      for (u32 i = 0; i < 32; ++i) warp[i].*to ^= least + both + either + flip + lowest;
    });
  }
  template <class M>
  void flip_within(M Thread::*m, u32 by, u32 width) {
    gather(m, [=](u32 lane, Thread&) {
      const u32 other = lane ^ by;
      return other <= (lane | (width - 1)) ? other : lane;
    });
  }
  template <u32 Bytes>
  void fetch(Word m, u32 stride, u32 by) {
    for (u32 i = 0; i < threads.size(); ++i) {
      const u32 from = ((i ^ 1) * stride + by) % (inputs * 4 / Bytes) * (Bytes / 4);
      threads[i].*m ^= in[from + by % (Bytes / 4)];
    }
  }
  void tally(Word where, Word what, Word to) {
    u32 room[64] = {};
    float sums_of[8] = {};
    u64 most[8] = {}, all[8] = {};
    for (const Thread& t : threads) {
      const u32 at = t.*where;
      u32& up = room[at % 16];
      up = up >= 9 ? 0 : up + 1;
      u32& down = room[16 + at % 8];
      down = down == 0 || down > 11 ? 11 : down - 1;
      sums_of[at % 8] += static_cast<float>(t.*what & 255);
      most[at % 8] = t.w0 > most[at % 8] ? t.w0 : most[at % 8];
      all[at % 8] += t.w1;
    }
    memcpy(room + 24, sums_of, sizeof sums_of);
    memcpy(room + 32, most, sizeof most);
    memcpy(room + 48, all, sizeof all);
    for (u32 i = 0; i < threads.size(); ++i) threads[i].*to ^= room[i % 64];
  }
  void poll(Word m, Word to) {
    u32 count = 0;
    for (const Thread& t : threads) count += t.*m & 1;
    for (Thread& t : threads) t.*to += count;
    bool any = false, all = true;
    for (const Thread& t : threads) any |= (t.*m & 0xff0000) == 0;
    for (Thread& t : threads) t.*to ^= any ? 32 : 0;
    for (const Thread& t : threads) all &= (t.*m & 3) != 0;
    for (Thread& t : threads) t.*to ^= all ? 128 : 0;
  }
  void exchange_two(u32 stride, u32 by) {
    const std::vector<Thread> old = threads;
    for (u32 i = 0; i < threads.size(); ++i) {
      const Thread& from = old[(i * stride + by) % threads.size()];
      threads[i].w0 = from.w1, threads[i].w1 = from.w0;
    }
  }
};
