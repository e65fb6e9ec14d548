;; SPDX-License-Identifier: BSD-3-Clause
;; guix build -f packaging/guix/skelrt.scm, or guix shell -f of it: builds the checkout that this file lies in,
;; for cores, OpenCL and several ranks.
(use-modules (guix packages)
             (guix download)
             (guix gexp)
             (guix git-download)
             (guix utils)
             (guix build-system meson)
             ((guix licenses) #:prefix license:)
             (gnu packages))

(define checkout
  (dirname (dirname (dirname (current-source-directory)))))

;; tools/setup.sh builds it, with limits and changes that the packaged StarPU does not have.
(define starpu-source
  (origin
    (method url-fetch)
    (uri "https://deb.debian.org/debian/pool/main/s/starpu/starpu_1.4.10+dfsg.orig.tar.gz")
    (sha256 (base32 "1hwrp87dfgbj8nz098c33r6svc3cmq4xmcj84643gybr1pnbjfvb"))))

(package
  (name "skelrt")
  (version "0.2.0")
  (source (local-file checkout "skelrt-checkout"
                      #:recursive? #t
                      #:select? (or (git-predicate checkout) (const #t))))
  (build-system meson-build-system)
  (arguments
   (list
    #:tests? #f                         ;those of the checkout need all devices and minutes
    #:configure-flags
    #~(list "-Dbundle=false" "-Dtests=false" "-Dapps=false" "-Dbenchmarks=false" "-Dcuda=disabled")
    #:phases
    #~(modify-phases %standard-phases
        (add-before 'configure 'build-starpu
          (lambda _
            (setenv "SKELRT_STARPU_SOURCE" #$starpu-source)
            (setenv "SKELRT_DEPS" (string-append #$output "/libexec/skelrt"))
            (invoke "bash" "-c"
                    "source tools/setup.sh && setup_starpu && echo $starpu_pkgconfig >starpu-pkgconfig")
            (setenv "PKG_CONFIG_PATH"
                    (string-append (call-with-input-file "starpu-pkgconfig"
                                     (@ (ice-9 rdelim) read-line))
                                   ":" (getenv "PKG_CONFIG_PATH"))))))))
  (native-inputs
   (map specification->package '("pkg-config" "util-linux")))
  (inputs
   (map specification->package
        '("cli11" "fmt" "hwloc@2" "libpng" "nlohmann-json" "opencl-headers" "opencl-icd-loader" "openmpi" "spdlog" "xxhash")))
  (home-page "https://starpu.gitlabpages.inria.fr/")
  (synopsis "Algorithmic skeletons for C++20 on CPUs and GPUs")
  (description
   "Map, reduce, scan, stencil and other skeletons on containers, whose calls run on all cores and GPUs of a machine
at once, over StarPU.")
  (license license:bsd-3))
