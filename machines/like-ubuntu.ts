import type { Layer } from "./layered-image";

const units = "usr/lib/systemd/system";

/**
 * What stops nodes on Ubuntu, and most of it on Flatcar and Fedora CoreOS: a resolver of its own on a loopback address,
 * networkd, which removes routes and rules that it was not told of, and the limit that unattended-upgrades sets to what may delay
 * a shutdown. `image/like-ubuntu` does at every boot what differs from machine to machine.
 */
export const LIKE_UBUNTU: Layer = {
    packages: ["systemd-resolved"],
    files: [
        {
            // Of the package of that name in Debian and Ubuntu; the package itself would bring Python and more.
            path: "usr/lib/systemd/logind.conf.d/unattended-upgrades-logind-maxdelay.conf",
            contents: "[Login]\n# delay\nInhibitDelayMaxSec=30\n",
        },
        {
            path: `${units}/systemd-networkd.service.d/udev.conf`,
            contents: "[Service]\nBindPaths=/run/sys:/sys\nExecStartPre=+/usr/lib/tradewind/udev-links\n",
        },
        {
            // As netplan has it wait for its own links alone.
            path: `${units}/systemd-networkd-wait-online.service.d/links.conf`,
            contents: "[Service]\nExecStart=\nExecStart=/lib/systemd/systemd-networkd-wait-online --interface=eth0\n",
        },
    ],
    units: ["systemd-networkd.service", "systemd-networkd-wait-online.service", "systemd-resolved.service"],
};
