import { versions } from "../versions";

/**
 * The operating system of local machines: the equivalent of Flatcar or Fedora CoreOS, without Kubernetes. haproxy,
 * dnsmasq, docker-registry and busybox are for the load balancer and the mirror, which run from the same image.
 */
export const debian = {
    name: "debian",
    suite: versions.debian,
    /** Increase it when `rootfs.ts` builds something else from the same packages. */
    revision: 2,
    licence: "each package its own, in /usr/share/doc of Debian",
    homepage: "https://www.debian.org",
    packages: [
        "busybox-static",
        "ca-certificates",
        "conntrack",
        "curl",
        "dbus",
        "dnsmasq-base",
        "docker-registry",
        "e2fsprogs",
        "ethtool",
        "haproxy",
        "iproute2",
        "ipset",
        "iptables",
        "kmod",
        "libpam-systemd",
        "mount",
        "netbase",
        "nftables",
        "procps",
        "runc",
        "socat",
        "systemd",
        "systemd-sysv",
        "util-linux",
    ],
} as const;

/** Units that Debian enables at installation but that nodes must not run. */
export const REMOVED_UNITS = [
    "apt-daily-upgrade.timer",
    "apt-daily.timer",
    "docker-registry.service",
    "dpkg-db-backup.timer",
    "e2scrub_all.timer",
    "e2scrub_reap.service",
    "fstrim.timer",
    "getty@tty1.service",
    "haproxy.service",
    "systemd-pstore.service",
] as const;

/** Paths that a machine image does not need, or must not share with other machines. */
export const STRIPPED_PATHS = [
    "etc/hostname",
    "etc/resolv.conf",
    "usr/share/doc",
    "usr/share/info",
    "usr/share/lintian",
    "usr/share/locale",
    "usr/share/man",
    "var/cache/apt",
    "var/cache/ldconfig",
    "var/lib/apt/lists",
    "var/lib/dbus/machine-id",
    "var/log",
] as const;
