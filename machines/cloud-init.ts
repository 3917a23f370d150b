import { readFileSync } from "node:fs";
import { join } from "node:path";
import { docker } from "./docker";
import { OURS, ROLE } from "./names";
import { type TarEntry, tar } from "./tar";

const SEED = "var/lib/cloud/seed/nocloud";

/** As little as a machine without a network of the usual kind needs. */
const SETTINGS = `datasource_list: [NoCloud]
locale: false
network: {config: disabled}
preserve_hostname: false
manage_etc_hosts: false
ssh_deletekeys: false
disable_root: false
`;

/** What we add to the operating system beside the package. */
export const CLOUD_INIT_ADDITIONS: readonly TarEntry[] = [
    { path: "etc/cloud/cloud.cfg.d/90-tradewind.cfg", contents: SETTINGS },
    { path: "etc/systemd/system/cloud-init-done.service", contents: script("cloud-init-done.service") },
    { path: "usr/lib/tradewind/cloud-init-done", contents: script("cloud-init-done"), mode: 0o755 },
];

function script(name: string): string {
    return readFileSync(join(__dirname, "image", name), "utf8");
}

/** Makes the image whose machines are configured by cloud-init: the other one with Debian's package. */
export async function installCloudInit(base: string, image: string): Promise<string> {
    const script = [
        "set -eu",
        "apt-get update -q",
        "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends cloud-init",
        "systemctl enable cloud-init-done.service",
        "rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb",
    ].join("\n");
    const labels = ["--label", `${OURS}=1`, "--label", `${ROLE}=image`];
    const container = (await docker(["create", ...labels, "--network", "host", base, "sh", "-c", script])).trim();
    try {
        await docker(["cp", "-", `${container}:/`], { input: tar(CLOUD_INIT_ADDITIONS) });
        await docker(["start", "--attach", container], { timeout: 600_000 });
        await docker(["commit", "--change", 'CMD ["/sbin/machine-init"]', container, image], { timeout: 600_000 });
    } finally {
        await docker(["rm", "--force", "--volumes", container]);
    }
    return image;
}

/** What takes the container runtime from a machine, as an image of a distribution has none: programs that don't run, and no unit. */
export const WITHOUT_RUNTIME: readonly TarEntry[] = [
    ...["bin/containerd", "bin/containerd-shim-runc-v2", "bin/ctr", "bin/runc", "sbin/runc"].map((program) => ({
        path: `usr/${program}`,
        contents: "",
    })),
    { path: "usr/lib/systemd/system/containerd.service", contents: "" },
];

/** The machine's configuration where cloud-init's NoCloud data source looks for it. */
export function seed(name: string, userData: string): TarEntry[] {
    return [
        { path: `${SEED}/meta-data`, contents: `instance-id: ${name}\nlocal-hostname: ${name}\n` },
        { path: `${SEED}/user-data`, contents: userData, mode: 0o600 },
    ];
}
