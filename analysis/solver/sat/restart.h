// When to restart: when recent learnt clauses are clearly worse (more levels) than those in the long run.
//
// Exponential averages, corrected for their start, as in Glucose's successors.
#pragma once

#include <cstdint>

namespace heddle::sat {

class RestartPolicy {
 public:
  RestartPolicy(double margin, uint32_t minimum) : margin_(margin), minimum_(minimum) {}

  void onConflict(uint32_t lbd) {
    ++sinceRestart_;
    fast_.add(lbd);
    slow_.add(lbd);
  }
  bool due() const { return sinceRestart_ >= minimum_ && fast_.value() > margin_ * slow_.value(); }
  void onRestart() { sinceRestart_ = 0; }

 private:
  class Average {
   public:
    explicit Average(double weight) : weight_(weight) {}
    void add(double x) {
      value_ += weight_ * (x - value_);
      bias_ *= 1 - weight_;
    }
    double value() const { return bias_ < 1 ? value_ / (1 - bias_) : 0; }

   private:
    double weight_, value_ = 0, bias_ = 1;
  };

  const double margin_;
  const uint32_t minimum_;
  Average fast_{1.0 / 32}, slow_{1.0 / 8192};
  uint64_t sinceRestart_ = 0;
};

}  // namespace heddle::sat
