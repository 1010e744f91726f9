# What is installed, and the Debian package. The self-contained archive, which needs more than CMake knows, is made by
# cmake/make_archive.sh from the same installation.
include(GNUInstallDirs)

install(TARGETS heddle RUNTIME)
install(FILES docs/diagnostics.md LICENSE README.md CHANGELOG.md TYPE DOC)
install(FILES docs/examples/bank_transfer.c docs/examples/bank_transfer_fixed.c docs/examples/heddle.h DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

install(FILES docs/report.schema.json docs/config.schema.json TYPE DOC)
install(FILES cmake/HeddleCheck.cmake DESTINATION lib/cmake/Heddle RENAME HeddleConfig.cmake)
# The manual page and the completions come from the program itself, so they know what it takes.
install(CODE [[
  function(heddle_prints file)
    set(path "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/share/${file}")
    get_filename_component(folder "${path}" DIRECTORY)
    file(MAKE_DIRECTORY "${folder}")
    execute_process(COMMAND "$<TARGET_FILE:heddle>" ${ARGN} OUTPUT_FILE "${path}" COMMAND_ERROR_IS_FATAL ANY)
  endfunction()
  heddle_prints(man/man1/heddle.1 man)
  heddle_prints(bash-completion/completions/heddle completion bash)
  heddle_prints(zsh/vendor-completions/_heddle completion zsh)
  heddle_prints(fish/vendor_completions.d/heddle.fish completion fish)
]])

# Of the archive only: where programPath() leads to. What other languages and offloading need is left out.
install(DIRECTORY ${LLVM_INSTALL_PREFIX}/lib/clang/${LLVM_VERSION_MAJOR}/include DESTINATION lib/heddle/clang
        COMPONENT archive EXCLUDE_FROM_ALL
        FILES_MATCHING PATTERN "*.h"
        PATTERN "cuda_wrappers" EXCLUDE PATTERN "hlsl" EXCLUDE PATTERN "openmp_wrappers" EXCLUDE
        PATTERN "llvm_libc_wrappers" EXCLUDE PATTERN "llvm_offload_wrappers" EXCLUDE PATTERN "ppc_wrappers" EXCLUDE
        PATTERN "fuzzer" EXCLUDE PATTERN "orc" EXCLUDE PATTERN "xray" EXCLUDE PATTERN "profile" EXCLUDE
        PATTERN "zos_wrappers" EXCLUDE)

# Starts the program of the archive with the archive's own libraries (server/package/launcher.c).
add_executable(heddle_launcher EXCLUDE_FROM_ALL server/package/launcher.c)
target_link_options(heddle_launcher PRIVATE -static -s)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME heddle)
set(CPACK_PACKAGE_CONTACT "the Heddle engineers <heddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "checks C programs with threads for every schedule and every input")
set(CPACK_PACKAGE_DESCRIPTION "A language server and command line tool that explores all schedules and all inputs of C programs
with POSIX threads, shows each failure with the interleaving that causes it, and offers verified repairs.")
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Headers that analysed programs include: Clang's own, and the C library's.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-22-dev, libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang-22")
include(CPack)
