import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TarEntry } from "./tar";

const SEED = "var/lib/cloud/seed/nocloud";

/** The minimum that a machine without a normal network needs. */
const SETTINGS = `datasource_list: [NoCloud]
locale: false
network: {config: disabled}
preserve_hostname: false
manage_etc_hosts: false
ssh_deletekeys: false
disable_root: false
`;

export const CLOUD_INIT_PACKAGES = ["cloud-init"];

/** Files we add to the operating system in addition to the package. */
export const CLOUD_INIT_ADDITIONS: readonly TarEntry[] = [
    { path: "etc/cloud/cloud.cfg.d/90-tradewind.cfg", contents: SETTINGS },
    { path: "etc/systemd/system/cloud-init-done.service", contents: script("cloud-init-done.service") },
    { path: "usr/lib/tradewind/cloud-init-done", contents: script("cloud-init-done"), mode: 0o755 },
];

function script(name: string): string {
    return readFileSync(join(__dirname, "image", name), "utf8");
}

/** Hides the container runtime, as images of distributions have none: programs that don't run, and no unit. */
export const WITHOUT_RUNTIME: readonly TarEntry[] = [
    ...["bin/containerd", "bin/containerd-shim-runc-v2", "bin/ctr", "bin/runc", "sbin/runc"].map((program) => ({
        path: `usr/${program}`,
        contents: "",
    })),
    { path: "usr/lib/systemd/system/containerd.service", contents: "" },
];

/** The machine's configuration, where cloud-init's NoCloud data source expects it. */
export function seed(name: string, userData: string): TarEntry[] {
    return [
        { path: `${SEED}/meta-data`, contents: `instance-id: ${name}\nlocal-hostname: ${name}\n` },
        { path: `${SEED}/user-data`, contents: userData, mode: 0o600 },
    ];
}
