import type { Layer } from "./layer";
import type { TarEntry } from "./tar";
import { virtualMachine } from "./virtual-machine";

/** How a machine is configured: by Ignition or by cloud-init. */
export type MachineOs = "ignition" | "cloud-init";

export const MACHINE_OSES: readonly MachineOs[] = ["ignition", "cloud-init"];

/** An operating system that a machine imitates. */
export type OsLike = "ubuntu" | "flatcar" | "fedora-coreos" | "virtual-machine";

export const OS_LIKES: readonly OsLike[] = ["ubuntu", "flatcar", "fedora-coreos", "virtual-machine"];

/** How each can be configured: Flatcar and Fedora CoreOS have Ignition only, a virtual machine has its cloud's cloud-init. */
const OSES: Readonly<Record<OsLike, readonly MachineOs[]>> = {
    ubuntu: MACHINE_OSES,
    flatcar: ["ignition"],
    "fedora-coreos": ["ignition"],
    "virtual-machine": ["cloud-init"],
};

export const osesOf = (like: OsLike): readonly MachineOs[] => OSES[like];

const units = "usr/lib/systemd/system";

/** Exists on a machine like Fedora CoreOS that has applied an update. */
export const finalizedFile = "/var/lib/tradewind-update";

/** networkd in a container: see `image/imitate`. */
const NETWORKD: readonly TarEntry[] = [
    {
        path: `${units}/systemd-networkd.service.d/udev.conf`,
        contents: "[Service]\nBindPaths=/run/sys:/sys\nExecStartPre=+/usr/lib/tradewind/udev-links\n",
    },
    {
        // netplan makes it wait for its own links only.
        path: `${units}/systemd-networkd-wait-online.service.d/links.conf`,
        contents: "[Service]\nExecStart=\nExecStart=/lib/systemd/systemd-networkd-wait-online --interface=eth0\n",
    },
];

const networkdUnits = ["systemd-networkd.service", "systemd-networkd-wait-online.service", "systemd-resolved.service"];

/** A reboot service of the OS, which does not know the cluster: it reboots as soon as an update is ready. */
function rebooter(name: string, flag: string): TarEntry {
    const contents = `[Unit]
Description=Reboot for an update of the OS, at once
[Service]
ExecStart=/bin/sh -c 'until [ -e ${flag} ]; do sleep 1; done; systemctl reboot'
[Install]
WantedBy=multi-user.target
`;
    return { path: `${units}/${name}`, contents };
}

/**
 * Zincati and rpm-ostree: an update is staged locked, so a reboot alone leaves it out. Zincati finalizes it at once,
 * or with the strategy `marker_file` once its marker exists.
 */
const zincati: readonly TarEntry[] = [
    {
        path: `${units}/zincati.service`,
        contents: `[Unit]
Description=Finalize an update of the OS, as the strategy says
[Service]
ExecStart=/bin/sh -c 'until [ -e /run/ostree/staged-deployment ]; do sleep 1; done; \\
    if grep -qs marker_file /etc/zincati/config.d/*.toml; then \\
        until [ -e /var/lib/zincati/admin/strategy/marker_file/allowfinalize.json ]; do sleep 1; done; \\
    fi; \\
    rpm-ostree finalize-deployment --allow-missing-checksum'
[Install]
WantedBy=multi-user.target
`,
    },
    {
        path: "usr/bin/rpm-ostree",
        mode: 0o755,
        contents: `#!/bin/sh
[ "$1" = finalize-deployment ] && [ -e /run/ostree/staged-deployment ] || exit 1
touch ${finalizedFile}
systemctl reboot
`,
    },
];

/**
 * The parts of Ubuntu that have broken nodes (most of them also exist on Flatcar and Fedora CoreOS): a local resolver
 * on a loopback address, networkd, which removes routes and rules that it did not configure, and the limit that
 * unattended-upgrades sets on shutdown inhibitors.
 */
const ubuntu: Layer = {
    packages: ["systemd-resolved"],
    files: [
        {
            // From the package of that name in Debian and Ubuntu; the package itself would pull in Python and more.
            path: "usr/lib/systemd/logind.conf.d/unattended-upgrades-logind-maxdelay.conf",
            contents: "[Login]\n# delay\nInhibitDelayMaxSec=30\n",
        },
        ...NETWORKD,
    ],
    units: networkdUnits,
};

/** bash as /bin/sh; and the modules' directory of the kernel that it has not, which nothing can create later. */
const withReadOnlyUsr = ["ln -sfn bash /usr/bin/sh", "mkdir -p /usr/lib/modules"];

/**
 * A read-only /usr, bash as /bin/sh, networkd with rules for every link, containerd with the image's own configuration,
 * and locksmithd. Sources: flatcar/init (zz-default.network), flatcar/scripts (containerd).
 */
const flatcar: Layer = {
    packages: ["systemd-resolved"],
    files: [
        ...NETWORKD,
        {
            // Releases differ in the types of links that they leave out: this one leaves out none.
            path: "usr/lib/systemd/network/zz-default.network",
            contents: `[Match]
Name=*
[Network]
DHCP=yes
KeepConfiguration=dhcp-on-stop
IPv6AcceptRA=true
`,
        },
        {
            path: "usr/share/containerd/config.toml",
            contents: "version = 3\n[plugins.'io.containerd.cri.v1.runtime']\nenable_selinux = true\n",
        },
        {
            path: `${units}/containerd.service`,
            contents: `[Unit]
Description=containerd container runtime
After=network.target

[Service]
Delegate=yes
Environment=CONTAINERD_CONFIG=/usr/share/containerd/config.toml
ExecStart=/usr/bin/containerd --config \${CONTAINERD_CONFIG}
KillMode=process
Restart=always
LimitNOFILE=infinity
OOMScoreAdjust=-999

[Install]
WantedBy=multi-user.target
`,
        },
        rebooter("locksmithd.service", "/run/reboot-required"),
    ],
    units: [...networkdUnits, "locksmithd.service"],
    commands: withReadOnlyUsr,
};

/** Directories that rpm-ostree keeps in /var, which is writable, like /etc. */
const inVar: Readonly<Record<string, string>> = {
    opt: "var/opt",
    srv: "var/srv",
    mnt: "var/mnt",
    home: "var/home",
    root: "var/roothome",
    "usr/local": "../var/usrlocal",
};

/**
 * NetworkManager, systemd-resolved's stub, a read-only /usr, /opt in /var, bash as /bin/sh, a configuration of containerd in
 * /etc, and Zincati. Without SELinux, which the machine's kernel would have to have.
 */
const fedoraCoreos: Layer = {
    packages: ["network-manager", "systemd-resolved"],
    files: [
        {
            // udev has a rule for this in NetworkManager's package; no udev runs in a container.
            path: "usr/lib/NetworkManager/conf.d/85-links.conf",
            contents: "[main]\ndns=systemd-resolved\n[keyfile]\nunmanaged-devices=interface-name:veth*\n",
        },
        { path: "etc/containerd/config.toml", contents: 'version = 3\nroot = "/var/lib/containerd"\n' },
        ...zincati,
    ],
    units: [
        "NetworkManager.service",
        "NetworkManager-wait-online.service",
        "systemd-resolved.service",
        "zincati.service",
    ],
    commands: [
        ...withReadOnlyUsr,
        ...Object.entries(inVar).map(([path, target]) => {
            const folder = `/${target.replace(/^\.\.\//, "")}`;
            return `rm -rf ${folder}; if [ -d /${path} ]; then mv /${path} ${folder}; else mkdir ${folder}; fi; ln -s ${target} /${path}`;
        }),
    ],
};

/** Thin layers for the operating systems. `image/imitate` does the parts that differ per machine, at every boot. */
export const LIKE: Readonly<Record<OsLike, Layer>> = {
    ubuntu,
    flatcar,
    "fedora-coreos": fedoraCoreos,
    "virtual-machine": virtualMachine,
};
