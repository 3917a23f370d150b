import { type ContainerdVersion, type EtcdVersion, versions } from "../../versions";
import { containerdUrl, runcUrl } from "../../versions/urls";
import type { Part } from "../part";
import { goPart } from "./go-part";
import { versionFolder } from "./version-folder";

/** An etcd release: the server, and the tools to query and repair it. */
export function etcd(version: EtcdVersion): Part {
    return {
        name: "etcd",
        version,
        licence: "Apache-2.0",
        homepage: "https://github.com/etcd-io/etcd",
        go: {
            folder: versionFolder("etcd", version),
            module: `go.etcd.io/etcd/server/v3@v${version}`,
            binaries: {
                etcd: "go.etcd.io/etcd/server/v3",
                etcdctl: "go.etcd.io/etcd/etcdctl/v3",
                etcdutl: "go.etcd.io/etcd/etcdutl/v3",
            },
        },
        official: {
            kind: "archive",
            url: `https://github.com/etcd-io/etcd/releases/download/v${version}/etcd-v${version}-linux-{arch}.tar.gz`,
            checksum: `https://github.com/etcd-io/etcd/releases/download/v${version}/SHA256SUMS`,
            folder: `etcd-v${version}-linux-{arch}`,
        },
    };
}

export function containerd(version: ContainerdVersion): Part {
    const archive = containerdUrl(version);
    return {
        name: "containerd",
        version,
        licence: "Apache-2.0",
        homepage: "https://github.com/containerd/containerd",
        go: {
            folder: versionFolder("containerd", version),
            module: `github.com/containerd/containerd/v2@v${version}`,
            binaries: {
                containerd: "github.com/containerd/containerd/v2/cmd/containerd",
                "containerd-shim-runc-v2": "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2",
                ctr: "github.com/containerd/containerd/v2/cmd/ctr",
            },
            ldflags: [`-X github.com/containerd/containerd/v2/version.Version=${version}`],
        },
        official: { kind: "archive", url: archive, checksum: `${archive}.sha256sum`, folder: "bin" },
    };
}

/** With seccomp, as pods have `RuntimeDefault` profiles. Debian's version starts no pod with a user namespace. */
export const runc: Part = {
    name: "runc",
    version: versions.runc,
    licence: "Apache-2.0",
    homepage: "https://github.com/opencontainers/runc",
    go: {
        folder: "runc",
        module: `github.com/opencontainers/runc@v${versions.runc}`,
        binaries: { runc: "github.com/opencontainers/runc" },
        tags: ["seccomp", "netgo", "osusergo"],
        cgo: "static",
        tools: [
            { command: "pkg-config", package: "pkg-config" },
            { command: "/usr/include/seccomp.h", package: "libseccomp-dev" },
        ],
    },
    official: {
        kind: "binaries",
        url: runcUrl,
        checksum: `https://github.com/opencontainers/runc/releases/download/v${versions.runc}/runc.sha256sum`,
    },
    served: { runc: `runc/v${versions.runc}/runc.amd64` },
};

/** Always built: the project releases only its validator binary. SELinux and key fragments follow Fedora. */
export const ignition = goPart("ignition", versions.ignition, {
    module: "github.com/coreos/ignition/v2",
    binaries: { ignition: "github.com/coreos/ignition/v2/internal" },
    ldflags: [
        `-X github.com/coreos/ignition/v2/internal/version.Raw=${versions.ignition}`,
        "-X github.com/coreos/ignition/v2/internal/distro.selinuxRelabel=false",
        "-X github.com/coreos/ignition/v2/internal/distro.writeAuthorizedKeysFragment=false",
    ],
    cgo: "dynamic",
    tools: [{ command: "/usr/include/blkid/blkid.h", package: "libblkid-dev" }],
});
