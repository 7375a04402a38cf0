# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The files by which other builds find the plugin (pkg-config, clang's
# configuration file), and CPack: `cpack -G DEB` and `cpack -G TGZ` in the build
# folder.
#
# Components: tools, dev, plugin and license make up an installed tree. The
# debian-* components are files that only Debian's packages have, or have in
# another place.
set(_files ${PROJECT_SOURCE_DIR}/cmake/package)
set(AUTOPROF_PC_PLUGIN "\${libdir}/autoprof.so")
configure_file(${_files}/autoprof.pc.in ${CMAKE_INSTALL_LIBDIR}/pkgconfig/autoprof.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/${CMAKE_INSTALL_LIBDIR}/pkgconfig/autoprof.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT plugin)
set(_cfg ${CMAKE_INSTALL_DATADIR}/autoprof/autoprof.cfg)
file(CONFIGURE OUTPUT ${_cfg} CONTENT "# clang --config=<this file>\n-fplugin=<CFGDIR>/../../lib/autoprof.so\n" @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/${_cfg} DESTINATION ${CMAKE_INSTALL_DATADIR}/autoprof COMPONENT plugin)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT license)

# In Debian's packages the plugin is in the folder of its version of clang:
# --config=autoprof.cfg needs no path, and plugins for several versions of clang
# do not collide. clang finds -fplugin=autoprof there only where LLVM's -dev
# package links libLLVM into the same folder.
set(_debian ${PROJECT_BINARY_DIR}/debian)
set(_llvm lib/llvm-${LLVM_VERSION_MAJOR})
set(AUTOPROF_PC_PLUGIN "\${libdir}/llvm-\${llvm}/lib/autoprof.so")
configure_file(${_files}/autoprof.pc.in ${_debian}/autoprof.pc @ONLY)
file(CONFIGURE OUTPUT ${_debian}/llvm/bin/autoprof.cfg CONTENT "-fplugin=<CFGDIR>/../lib/autoprof.so\n" @ONLY)
file(MAKE_DIRECTORY ${_debian}/llvm/lib ${_debian}/llvm/include)
file(CREATE_LINK autoprof.so ${_debian}/llvm/lib/autoprof SYMBOLIC)
file(CREATE_LINK ../../../include/autoprof ${_debian}/llvm/include/autoprof SYMBOLIC)
install(FILES ${_debian}/autoprof.pc DESTINATION lib/pkgconfig COMPONENT debian-dev EXCLUDE_FROM_ALL)
install(TARGETS autoprof_plugin LIBRARY DESTINATION ${_llvm}/lib COMPONENT debian-plugin EXCLUDE_FROM_ALL)
install(DIRECTORY ${_debian}/llvm/ DESTINATION ${_llvm} COMPONENT debian-plugin EXCLUDE_FROM_ALL)

set(AUTOPROF_DEBIAN_PLUGIN autoprof-plugin-${LLVM_VERSION_MAJOR})
set(AUTOPROF_PACKAGE_CONTACT "autoprof maintainers <maintainers@autoprof.invalid>" CACHE STRING
    "Name and address in the packages' field Maintainer")
set(_version ${PROJECT_VERSION}-1)
string(TIMESTAMP _date "%a, %d %b %Y %H:%M:%S +0000" UTC)
# Compressed here, because dpkg-deb packs files as they are.
find_program(_gzip gzip REQUIRED NO_CACHE)
# autoprof_debian_package(NAME GROUP): the package of the components in GROUP,
# with the documents that Debian requires.
function(autoprof_debian_package name group)
  set(folder ${_debian}/doc/${name})
  file(CONFIGURE OUTPUT ${folder}/changelog.Debian
    CONTENT "${name} (${_version}) unstable; urgency=medium\n\n  * See changelog.gz.\n\n -- ${AUTOPROF_PACKAGE_CONTACT}  ${_date}\n" @ONLY)
  configure_file(${PROJECT_SOURCE_DIR}/CHANGELOG.md ${folder}/changelog COPYONLY)
  execute_process(COMMAND ${_gzip} -9nf ${folder}/changelog ${folder}/changelog.Debian COMMAND_ERROR_IS_FATAL ANY)
  install(FILES ${_files}/copyright ${folder}/changelog.gz ${folder}/changelog.Debian.gz
          DESTINATION share/doc/${name} COMPONENT debian-${group} EXCLUDE_FROM_ALL)
  string(TOUPPER ${group} upper)
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name} PARENT_SCOPE)
endfunction()
autoprof_debian_package(autoprof tools)
autoprof_debian_package(autoprof-dev dev)
autoprof_debian_package(${AUTOPROF_DEBIAN_PLUGIN} plugin)

set(CPACK_PACKAGE_NAME autoprof)
set(CPACK_PACKAGE_VENDOR "autoprof")
set(CPACK_PACKAGE_CONTACT ${AUTOPROF_PACKAGE_CONTACT})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PROJECT_CONFIG_FILE ${_files}/CPackProject.cmake)
set(CPACK_STRIP_FILES ON)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_PACKAGE_FILE_NAME autoprof-${PROJECT_VERSION}-linux-${CMAKE_SYSTEM_PROCESSOR})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_CONTROL_EXTRA ${_files}/triggers)
# autoprof-nvcc and `autoprof rewrite` need these headers; the audit needs
# clang's.
set(_same "(= ${_version})")
set(CPACK_DEBIAN_TOOLS_PACKAGE_DEPENDS "autoprof-dev ${_same}")
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS libclang-common-${LLVM_VERSION_MAJOR}-dev)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "${AUTOPROF_DEBIAN_PLUGIN} ${_same}")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "This package has the programs: autoprof records CUDA programs, reports where
the CPU waits for the GPU and what each wait costs, compares recordings, and
finds such waits in sources without a GPU. autoprof-nvcc puts probes into
programs that nvcc compiles.")
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_DEPENDS "autoprof-dev ${_same}, clang-${LLVM_VERSION_MAJOR}")
set(CPACK_DEBIAN_PLUGIN_PACKAGE_SUGGESTS "autoprof ${_same}")
set(CPACK_DEBIAN_PLUGIN_DESCRIPTION "This package has the plugin for clang ${LLVM_VERSION_MAJOR}, which puts probes into CUDA programs:
clang++-${LLVM_VERSION_MAJOR} --config=autoprof.cfg.")
set(CPACK_DEBIAN_DEV_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_DEV_PACKAGE_SUGGESTS "autoprof ${_same}, ${AUTOPROF_DEBIAN_PLUGIN} ${_same}, cmake, pkg-config")
set(CPACK_DEBIAN_DEV_DESCRIPTION "This package has the headers of the probes and of the API for programs, and the
files by which CMake and pkg-config find autoprof.")
include(CPack)
# DEB: one package for each group. TGZ: an installed tree (CPackProject.cmake).
foreach(_group tools dev plugin)
  cpack_add_component_group(${_group})
  cpack_add_component(debian-${_group} GROUP ${_group})
endforeach()
cpack_add_component(tools GROUP tools)
cpack_add_component(dev GROUP dev)
cpack_add_component(plugin GROUP plugin)
