import type { Layer } from "./layer";

export const PATH = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/bin";

/** The base of every image but pause: users, name lookup, trusted CAs, Debian's merged /usr. */
export const base: Layer = {
    texts: {
        "/etc/passwd": [
            "root:x:0:0:root:/root:/sbin/nologin",
            "haproxy:x:99:99:haproxy:/var/lib/haproxy:/sbin/nologin",
            "nobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin",
            "nonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin",
            "",
        ].join("\n"),
        "/etc/group": ["root:x:0:", "haproxy:x:99:", "nogroup:x:65534:", "nonroot:x:65532:", ""].join("\n"),
        "/etc/nsswitch.conf": "passwd: files\ngroup: files\nhosts: files dns\n",
    },
    links: { "/bin": "usr/bin", "/sbin": "usr/sbin", "/lib": "usr/lib", "/lib64": "usr/lib64" },
    paths: ["/etc/ssl/certs/ca-certificates.crt", "/etc/protocols", "/etc/services"],
    openFolders: ["/tmp"],
};

/** A shell and the usual tools, in one static program. */
export const busybox: Layer = {
    programs: ["/usr/bin/busybox"],
    links: Object.fromEntries(
        ["cat", "cp", "env", "grep", "kill", "ls", "mkdir", "ps", "sh", "sleep", "wget"].map(applet),
    ),
};

/** The rest of busybox's commands, which users expect in an image of its own. */
export const busyboxCommands: Layer = {
    links: Object.fromEntries(
        [
            ...["awk", "base64", "cut", "date", "dd", "df", "du", "echo", "expr", "false", "find", "free", "head"],
            ...["hostname", "httpd", "id", "ip", "ln", "md5sum", "mount", "mv", "nc", "netstat", "nproc", "nslookup"],
            ...["od", "pgrep", "pidof", "ping", "printf", "pwd", "rm", "route", "sed", "seq", "sha256sum", "sort"],
            ...["stat", "tail", "tar", "tee", "telnet", "test", "time", "timeout", "top", "touch", "tr", "traceroute"],
            ...["true", "umount", "uname", "uniq", "vi", "watch", "wc", "which", "whoami", "xargs", "yes"],
        ].map(applet),
    ),
    openFolders: ["/www"],
};

/** The shell and tools of Debian, where busybox's own differ. */
export const shellTools: Layer = {
    programs: [
        ...["cat", "chmod", "cmp", "cp", "dash", "env", "grep", "ln", "ls", "mkdir", "mv", "readlink", "rm", "sed"],
        ...["sha256sum", "sleep", "sort", "sync", "tail", "tr"],
    ]
        .map((name) => `/usr/bin/${name}`)
        .concat("/usr/sbin/chroot"),
    links: { "/usr/bin/sh": "dash" },
};

/** What a kubelet makes volumes with. */
export const volumeTools: Layer = {
    programs: [
        ...["findmnt", "mount", "umount"].map((name) => `/usr/bin/${name}`),
        ...["blkid", "blockdev", "losetup"].map((name) => `/usr/sbin/${name}`),
    ],
};

/** The commands that kube-proxy, flannel and kube-router run to write rules, iptables and nftables. */
export const networkTools: Layer = {
    programs: [
        ...["iptables", "ip6tables"].flatMap((name) =>
            ["", "-save", "-restore"].flatMap((verb) =>
                [`${name}${verb}`, `${name}-nft${verb}`, `${name}-legacy${verb}`].map((path) => `/usr/sbin/${path}`),
            ),
        ),
        "/usr/lib/{triplet}/xtables",
        "/usr/sbin/conntrack",
        "/usr/sbin/ipset",
        "/usr/sbin/modprobe",
        "/usr/sbin/nft",
    ],
};

/** What tunnels are made with, by kube-router and before flannel: busybox's command of the same name makes none. */
export const tunnelTool: Layer = { programs: ["/usr/bin/ip"] };

/** Other commands that scripts of Debian's images, Node's included, may run. */
export const lockTool: Layer = { programs: ["/usr/bin/flock"] };

/** Runtime dependencies of a C++ program linked against glibc, such as Node. */
export const cppLibraries: Layer = {
    programs: ["libstdc++.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1"].map(
        (name) => `/usr/lib/{triplet}/${name}`,
    ),
};

/** The link that makes busybox one of its commands. */
export function applet(name: string): [path: string, to: string] {
    return [`/usr/bin/${name}`, "busybox"];
}
