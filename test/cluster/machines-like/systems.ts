import type { OsLike } from "../../../machines";
import { finalizedFile } from "../../../machines/os-like";

/** How an operating system differs from others, as far as nodes notice. */
export interface LikeSystem {
    readonly title: string;
    /** What the test of the machine itself shows. */
    readonly hostility: string;
    /** In /etc/resolv.conf. */
    readonly nameserver: RegExp;
    /** Whether that is systemd-resolved's stub, which no pod may get. */
    readonly hasStub: boolean;
    /** Whether unattended-upgrades limits delays of shutdowns. */
    readonly shortDelay: boolean;
    /** Restarts the network program, as an update of it does, and waits until it has configured its link. */
    readonly restartNetwork: string;
    readonly reconfigure: string;
    /** Whether the network program removes routes and rules of others. */
    readonly removesForeign: boolean;
    /** Whether /usr is read-only and /bin/sh is bash. */
    readonly isReadOnly: boolean;
    /** Where links of the image lead. */
    readonly links: Readonly<Record<string, string>>;
    /** The file that requests a reboot. */
    readonly flag: string;
    /** The OS' own service that follows the request at once. @default - none */
    readonly rebooter?: string;
    /** Whether that runs on a node, and waits. @default false - it is masked */
    readonly rebooterWaits?: boolean;
    /** A file that exists once an update is applied, which a reboot alone does not do. @default - any reboot does */
    readonly applied?: string;
}

// After its restart networkd removes foreign routes and rules before it reports its link as configured.
const networkd = {
    restartNetwork:
        "systemctl restart systemd-networkd && /lib/systemd/systemd-networkd-wait-online --interface=eth0 --timeout=60",
    reconfigure: "networkctl reconfigure eth0",
    removesForeign: true,
};

const stub = { nameserver: /^nameserver 127\.0\.0\.53$/m, hasStub: true };

export const systems: Readonly<Record<Exclude<OsLike, "virtual-machine">, LikeSystem>> = {
    ubuntu: {
        ...networkd,
        ...stub,
        title: "Ubuntu",
        hostility: "a DNS stub, a networkd that removes routes and rules, a short limit on delays",
        shortDelay: true,
        isReadOnly: false,
        links: {},
        flag: "/run/reboot-required",
    },
    flatcar: {
        ...networkd,
        title: "Flatcar",
        hostility: "a read-only /usr, a networkd that removes routes and rules, a service that reboots at once",
        nameserver: /^nameserver (?!127\.)/m,
        hasStub: false,
        shortDelay: false,
        isReadOnly: true,
        links: {},
        flag: "/run/reboot-required",
        rebooter: "locksmithd.service",
    },
    "fedora-coreos": {
        ...stub,
        title: "Fedora CoreOS",
        hostility: "NetworkManager, a DNS stub, a read-only /usr, /opt in /var, a service that reboots at once",
        restartNetwork:
            // `nm-online` is satisfied with any connection, also with that of a bridge.
            "systemctl restart NetworkManager && timeout 60 sh -c 'until nmcli -t device | grep -q ^eth0:ethernet:connected:eth0$; do sleep 0.2; done'",
        reconfigure: "nmcli device reapply eth0 && nmcli connection up eth0",
        removesForeign: false,
        shortDelay: false,
        isReadOnly: true,
        links: { "/opt": "/var/opt", "/usr/local": "/var/usrlocal" },
        flag: "/run/ostree/staged-deployment",
        rebooter: "zincati.service",
        rebooterWaits: true,
        applied: finalizedFile,
    },
};
