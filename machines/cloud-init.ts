import { docker } from "./docker";
import { OURS, ROLE } from "./names";
import type { TarEntry } from "./tar";

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

/** Makes the image whose machines are configured by cloud-init: the other one with Debian's package. */
export async function installCloudInit(base: string, image: string): Promise<string> {
    const script = [
        "set -eu",
        "apt-get update -q",
        "DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends cloud-init",
        `cat >/etc/cloud/cloud.cfg.d/90-tradewind.cfg <<'END'\n${SETTINGS}END`,
        "rm -rf /var/lib/apt/lists/* /var/cache/apt/*.bin /var/cache/apt/archives/*.deb",
    ].join("\n");
    const labels = ["--label", `${OURS}=1`, "--label", `${ROLE}=image`];
    const container = (await docker(["create", ...labels, "--network", "host", base, "sh", "-c", script])).trim();
    try {
        await docker(["start", "--attach", container], { timeout: 600_000 });
        await docker(["commit", "--change", 'CMD ["/sbin/machine-init"]', container, image], { timeout: 600_000 });
    } finally {
        await docker(["rm", "--force", "--volumes", container]);
    }
    return image;
}

/** The machine's configuration where cloud-init's NoCloud data source looks for it. */
export function seed(name: string, userData: string): TarEntry[] {
    return [
        { path: `${SEED}/meta-data`, contents: `instance-id: ${name}\nlocal-hostname: ${name}\n` },
        { path: `${SEED}/user-data`, contents: userData, mode: 0o600 },
    ];
}
