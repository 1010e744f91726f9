#include "analysis/repair/sync_names.h"

#include <algorithm>

namespace heddle {

const std::map<std::string_view, std::string_view>& releases() {
  static const std::map<std::string_view, std::string_view> kReleases = {
      {"pthread_mutex_lock", "pthread_mutex_unlock"},
      {"pthread_spin_lock", "pthread_spin_unlock"},
      {"pthread_rwlock_rdlock", "pthread_rwlock_unlock"},
      {"pthread_rwlock_wrlock", "pthread_rwlock_unlock"},
      {"sem_wait", "sem_post"},
      {"mtx_lock", "mtx_unlock"},
      {"uv_mutex_lock", "uv_mutex_unlock"},
      {"uv_rwlock_rdlock", "uv_rwlock_rdunlock"},
      {"uv_rwlock_wrlock", "uv_rwlock_wrunlock"},
      {"uv_sem_wait", "uv_sem_post"},
      {"g_mutex_lock", "g_mutex_unlock"},
      {"g_rec_mutex_lock", "g_rec_mutex_unlock"},
      {"g_rw_lock_reader_lock", "g_rw_lock_reader_unlock"},
      {"g_rw_lock_writer_lock", "g_rw_lock_writer_unlock"},
  };
  return kReleases;
}

bool isRelease(std::string_view function) {
  return std::any_of(releases().begin(), releases().end(),
                     [&](const auto& pair) { return pair.second == function; });
}

}  // namespace heddle
