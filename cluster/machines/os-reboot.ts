import { bootFile, rebootRequest, rebootRequestedFile, rebootTaken } from "../../agents/nodes/node-agent/layout";
import { type Config, config, file, unit } from "../../ignition";
import { launcher, paths } from "../paths";

/** An update staged by rpm-ostree, as on Fedora CoreOS. */
const staged = "/run/ostree/staged-deployment";

/**
 * Files with which operating systems request a reboot; a reboot removes them. Debian, Ubuntu and Flatcar (3067 or
 * newer) use the first.
 */
const requests = ["/run/reboot-required", staged];

const state = paths.nodeAgentState;
const boot = `${state}/${bootFile}`;
const requested = `${state}/${rebootRequestedFile}`;
const request = `${state}/${rebootRequest}`;
const taken = `${state}/${rebootTaken}`;

/**
 * Reports boots to the node-agent, which can only access its own directories on the host, and reboots on its request.
 */
export function osReboot(): Config {
    return config({
        files: [
            file(`${paths.bin}/os-boot`, bootScript, { mode: 0o755 }),
            file(`${paths.bin}/os-reboot`, rebootScript, { mode: 0o755 }),
        ],
        units: [
            unit("os-boot.service", { enabled: true, contents: bootService }),
            unit("os-reboot-due.path", {
                enabled: true,
                contents: path("Report a reboot that the OS requests", requests),
            }),
            unit("os-reboot-due.service", { contents: requestService }),
            unit("os-reboot.path", {
                enabled: true,
                contents: path("Reboot for the node-agent", [request]),
            }),
            unit("os-reboot.service", { contents: rebootService }),
        ],
    });
}

const bootScript = `#!/bin/sh
# Records this boot, and drops requests from the previous one.
set -eu
rm -f ${request} ${taken} ${requested}
cat /proc/sys/kernel/random/uuid >${boot}.new
mv ${boot}.new ${boot}
`;

const rebootScript = `#!/bin/sh
# Reboots if requested during this boot; a request from before a power cut does not count.
set -eu
# Otherwise this would run again and again.
mv ${request} ${taken}
[ "$(cat ${taken})" = "$(cat ${boot})" ] || exit 0
# Zincati locks a staged update, so a plain reboot would skip it. This unlocks it and reboots.
if [ -e ${staged} ] && rpm-ostree finalize-deployment --allow-missing-checksum --allow-unlocked; then exit 0; fi
systemctl reboot
`;

const bootService = `[Unit]
Description=Report this boot
Before=kubelet.service

[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=${launcher} ${paths.bin}/os-boot

[Install]
WantedBy=multi-user.target
`;

const requestService = `[Unit]
Description=Report a reboot that the OS requests
Requires=os-boot.service
After=os-boot.service

[Service]
Type=oneshot
# The OS requests a reboot until it happens; without this, each request would be reported again.
RemainAfterExit=yes
ExecStart=/bin/cp -f ${boot} ${requested}
`;

const rebootService = `[Unit]
Description=Reboot for the node-agent
Requires=os-boot.service
After=os-boot.service

[Service]
Type=oneshot
ExecStart=${launcher} ${paths.bin}/os-reboot
`;

function path(description: string, files: readonly string[]): string {
    return `[Unit]
Description=${description}

[Path]
${files.map((each) => `PathExists=${each}\n`).join("")}
[Install]
WantedBy=multi-user.target
`;
}
