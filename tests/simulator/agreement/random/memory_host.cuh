// The body of a random kernel of the kind "memory" on the host, a step at a time for all threads of
// a block.
#pragma once
#include "memory_side.cuh"

struct MemoryHost {
  HostSide& side;
  std::vector<uint4> room = std::vector<uint4>(memory_room_words / 4, uint4{0, 0, 0, 0});

  u32 block() const { return side.block(); }
  template <Step F>
  void each() {
    side.template each<F>();
  }
  void clear_room() {}
  template <class T>
  void through_room(Word m, Places to, Places from, u32 gap, u32 stores, u32 loads) {
    through<T>(room_of<T>(), m, to, from, gap, stores, loads);
  }
  template <class T>
  void through_memory(Word m, Places to, Places from, u32 gap, u32 shift, u32 stores, u32 loads) {
    T* place = reinterpret_cast<T*>(side.threads[0].own + side.block() * size() * 16) + shift;
    through<T>(place, m, to, from, gap, stores, loads);
  }
  template <class T>
  void gather_room(Word m, Word where) {
    T* place = room_of<T>();
    for (u32 i = 0; i < size(); ++i) place[i] = made<T>(side.threads[i]);
    for (Thread& t : side.threads) t.*m ^= taken(place[t.*where & (size() - 1)]);
  }
  template <Sum S>
  void bins(Word where, Word what, Word to, u32 count, u32 gap, u32 lanes) {
    u32* words = room_of<u32>();
    for (u32 i = 0; i < size(); ++i) {
      const Thread& t = side.threads[i];
      u32& at = words[t.*where % count * gap];
      if (!is_among(i, lanes)) continue;
      HostSide::add_to<S>(at, t.*what);
    }
    for (u32 i = 0; i < size(); ++i) side.threads[i].*to += words[i % count * gap];
  }
  void swap_in_room(Word m, Places to, bool compared, u32 lanes) {
    for (u32 i = 0; i < size(); ++i) {
      if (!is_among(i, lanes)) continue;
      u32& word = side.threads[i].*m;
      u32& at = room_of<u32>()[to.of(i, size())];
      const u32 old = at;
      if (!compared || old == (word & 1)) at = word;
      word = old;
    }
  }
  template <Sum S>
  void collect_some(Word where, Word what, u32 lanes) {
    HostSide some = side;
    some.threads.clear();
    for (u32 i = 0; i < size(); ++i)
      if (is_among(i, lanes)) some.threads.push_back(side.threads[i]);
    some.template collect<S>(where, what);
  }
  template <Sum S>
  void collect(Word where, Word what) {
    side.template collect<S>(where, what);
  }
  void collect_wide(Word where) { side.collect_wide(where); }

 private:
  u32 size() const { return static_cast<u32>(side.threads.size()); }
  template <class T>
  T* room_of() {
    return reinterpret_cast<T*>(room.data());
  }
  template <class T>
  void through(T* place, Word m, Places to, Places from, u32 gap, u32 stores, u32 loads) {
    for (u32 i = 0; i < size(); ++i)
      if (is_among(i, stores)) place[to.of(i, size()) * gap] = made<T>(side.threads[i]);
    for (u32 i = 0; i < size(); ++i)
      if (is_among(i, loads)) side.threads[i].*m ^= taken(place[from.of(i, size()) * gap]);
  }
};
