// One message: how many bytes each piece has, and a descriptor for it.
#include "runner/memory/shared_pages.hpp"

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "core/process/process_control.hpp"

namespace klab::runner {
namespace {

constexpr std::size_t most_pieces = 64;  // below what one message may hold, see unix(7)
/// What a giver takes that has to wake its device first; one that is gone is known at once.
constexpr timeval longest_wait{.tv_sec = 10, .tv_usec = 0};

/// Room for what a message says beside its bytes.
struct Beside {
  alignas(cmsghdr) std::array<char, CMSG_SPACE(most_pieces * sizeof(int))> bytes{};
};

struct Message {
  std::vector<std::uint64_t> sizes;
  std::vector<Descriptor> pages;
};

bool send(int connection, const Message& message) {
  Beside beside;
  iovec said{const_cast<std::uint64_t*>(message.sizes.data()),
             message.sizes.size() * sizeof(std::uint64_t)};
  msghdr header{};
  header.msg_iov = &said;
  header.msg_iovlen = 1;
  header.msg_control = beside.bytes.data();
  header.msg_controllen = CMSG_SPACE(message.pages.size() * sizeof(int));
  cmsghdr* const descriptors = CMSG_FIRSTHDR(&header);
  descriptors->cmsg_level = SOL_SOCKET;
  descriptors->cmsg_type = SCM_RIGHTS;
  descriptors->cmsg_len = CMSG_LEN(message.pages.size() * sizeof(int));
  for (std::size_t i = 0; i < message.pages.size(); ++i) {
    const int descriptor = message.pages[i].get();
    std::memcpy(CMSG_DATA(descriptors) + i * sizeof(int), &descriptor, sizeof(int));
  }
  return ::sendmsg(connection, &header, MSG_NOSIGNAL) >= 0;
}

/// An empty one where none comes.
Message receive(int connection) {
  ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &longest_wait, sizeof longest_wait);
  Beside beside;
  Message message{std::vector<std::uint64_t>(most_pieces), {}};
  iovec said{message.sizes.data(), message.sizes.size() * sizeof(std::uint64_t)};
  msghdr header{};
  header.msg_iov = &said;
  header.msg_iovlen = 1;
  header.msg_control = beside.bytes.data();
  header.msg_controllen = beside.bytes.size();
  const auto bytes = ::recvmsg(connection, &header, MSG_CMSG_CLOEXEC);
  message.sizes.resize(bytes > 0 ? static_cast<std::size_t>(bytes) / sizeof(std::uint64_t) : 0);
  const cmsghdr* const descriptors = bytes > 0 ? CMSG_FIRSTHDR(&header) : nullptr;
  if (descriptors == nullptr || descriptors->cmsg_type != SCM_RIGHTS) return {};
  const std::size_t count = (descriptors->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  for (std::size_t i = 0; i < count; ++i) {
    int descriptor = -1;
    std::memcpy(&descriptor, CMSG_DATA(descriptors) + i * sizeof(int), sizeof(int));
    message.pages.emplace_back(descriptor);
  }
  return message;
}

std::vector<std::uint64_t> sizes_of(const std::vector<DeviceEdge*>& edges) {
  std::vector<std::uint64_t> sizes;
  for (const DeviceEdge* edge : edges) sizes.push_back(edge->get_deleter().mapped);
  return sizes;
}

/// All or nothing is sent, so that nobody lies on some of them.
void give(int connection, const std::vector<DeviceEdge*>& edges, int takers) {
  if (edges.empty() || edges.size() > most_pieces) return;
  Message message{sizes_of(edges), {}};
  for (DeviceEdge* edge : edges) {
    message.pages.push_back(share_pages(*edge));
    if (message.pages.back().get() < 0) return;
  }
  for (int i = 0; i < takers && send(connection, message); ++i) {
  }
}

void take(int connection, const std::vector<DeviceEdge*>& edges) {
  const Message message = receive(connection);
  if (message.sizes != sizes_of(edges) || message.pages.size() != edges.size()) return;
  for (std::size_t i = 0; i < edges.size(); ++i) lie_on_shared(*edges[i], message.pages[i]);
}

}  // namespace

void share_pages(const Request& request, const std::vector<DeviceEdge*>& edges) {
  if (request.gives_pages_to <= 0 && !request.takes_pages) return;
  const Descriptor connection(handed_over_descriptor);
  if (request.takes_pages)
    take(connection.get(), edges);
  else
    give(connection.get(), edges, request.gives_pages_to);
}

}  // namespace klab::runner
