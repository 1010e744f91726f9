#include "analysis/interp/weak/store_buffers.h"

#include "analysis/interp/weak/graph_relations.h"

namespace heddle {

namespace {

/// What a thread's program order keeps under a model with store buffers.
class BufferOrder {
 public:
  BufferOrder(const GraphRelations& picture, Axioms::Buffers buffers) : picture_(picture), buffers_(buffers) {
    uint32_t full = 0, stores = 0;
    for (size_t v = 0; v < picture.size(); ++v) {
      const GraphEvent& event = picture.event(v);
      const bool isFence = event.kind == GraphEventKind::Fence;
      const bool isWhole = event.kind == GraphEventKind::Sync;
      const bool isRelease = heddle::isRelease(event.order);
      full += isWhole || event.isLocked || (isFence && event.order == MemoryOrder::SeqCst);
      stores += isRelease && (isFence || event.writes());
      passed_.push_back({full, stores});
      full += isWhole || event.isLocked ||
              (event.kind == GraphEventKind::Write && event.order == MemoryOrder::SeqCst);
    }
  }

  /// `a` comes before `b` in the program.
  bool keeps(size_t a, size_t b) const {
    const GraphEvent &from = picture_.event(a), &to = picture_.event(b);
    if (buffers_ == Axioms::Buffers::None || from.kind != GraphEventKind::Write) return true;
    if (passed_[b].full != passed_[a].full) return true;
    if (to.kind != GraphEventKind::Write) return false;
    return buffers_ == Axioms::Buffers::OnePerThread || from.location == to.location ||
           passed_[b].stores != passed_[a].stores;
  }

 private:
  struct Passed {
    uint32_t full = 0;    // fences and the like that empty the buffers
    uint32_t stores = 0;  // that keep writes in order
  };
  const GraphRelations& picture_;
  const Axioms::Buffers buffers_;
  std::vector<Passed> passed_;  // when the event happens
};

}  // namespace

bool StoreBuffers::isConsistent(const ExecutionGraph& graph) const {
  const GraphRelations picture(graph, false);
  const size_t n = picture.size();
  Relation ordered = picture.afterwards();
  const BufferOrder order(picture, buffers_);
  for (size_t a = 0; a < n; ++a)
    for (size_t b = 0; b < n; ++b) {
      const bool isSameThread = picture.vertices[a].thread == picture.vertices[b].thread;
      if (isSameThread ? a < b && order.keeps(a, b)
                       : picture.event(b).kind == GraphEventKind::Sync && picture.happensBefore(a, b))
        ordered.add(a, b);
    }
  const Relation reads = picture.readsFrom();
  for (size_t a = 0; a < n; ++a)
    reads.forEach(a, [&](size_t b) {
      if (picture.vertices[a].thread != picture.vertices[b].thread) ordered.add(a, b);
    });
  return ordered.isAcyclic();
}

}  // namespace heddle
