import { versions } from "../../versions";
import { goPart } from "./go-part";
import { versionStamps } from "./kubernetes";

const kubernetes = "k8s.io/kubernetes/test";

/**
 * Kubernetes' end-to-end tests with the programs of their images, all from one module. Always built: their project
 * publishes the images in a registry only.
 */
export const e2eTests = goPart("e2e-tests", versions.kubernetes, {
    module: "k8s.io/kubernetes",
    homepage: "https://github.com/kubernetes/kubernetes",
    folder: "kubernetes-e2e",
    binaries: {
        "e2e.test": `${kubernetes}/e2e`,
        // Of the version in Kubernetes' own go.mod.
        ginkgo: "github.com/onsi/ginkgo/v2/ginkgo",
        agnhost: `${kubernetes}/images/agnhost`,
        nnp: `${kubernetes}/images/nonewprivs`,
        "sample-apiserver": "k8s.io/sample-apiserver",
    },
    tests: ["e2e.test"],
    ldflags: versionStamps(versions.kubernetes),
});

/** Files of the tests' images, by their names in the cache, and where the module has them below `test/images`. */
export const e2eFiles = {
    "localhost.crt": "agnhost/porter/localhost.crt",
    "localhost.key": "agnhost/porter/localhost.key",
    "kitten.json": "kitten/html/data.json",
    "kitten.jpg": "kitten/html/kitten.jpg",
    "nautilus.json": "nautilus/html/data.json",
    "nautilus.jpg": "nautilus/html/nautilus.jpg",
} as const;

/** The Debian system of these images: the commands that the tests run in pods. */
export const conformancePackages = [
    "bash",
    "bind9-dnsutils",
    "busybox-static",
    "ca-certificates",
    "curl",
    "iperf",
    "iproute2",
    "netbase",
    "netcat-openbsd",
    "nginx-light",
    "util-linux",
    "wget",
] as const;
