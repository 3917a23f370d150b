import { groupCommands, users } from "./cloud-init/accounts";
import { commands } from "./cloud-init/commands";
import { writtenFiles } from "./cloud-init/files";
import { refuseForeign } from "./cloud-init/refuse";
import { toYaml } from "./cloud-init/yaml";
import type { Config } from "./config";
import { inlineContents } from "./data-url";
import { assertValid } from "./validate";

/**
 * The same config as `#cloud-config` for an OS without Ignition.
 *
 * cloud-init writes files after most units have started, so commands at the end start the units. Features without an
 * equivalent, such as disks and kernel arguments, are refused.
 */
export function toCloudInit(config: Config): string {
    assertValid(config);
    refuseForeign(config);
    const document = {
        ...hostname(config),
        ...some("bootcmd", groupCommands(config)),
        ...some("users", users(config)),
        ...some("write_files", writtenFiles(config)),
        ...some("runcmd", commands(config)),
    };
    return `#cloud-config\n${toYaml(document)}`;
}

/** Without these keys, cloud-init replaces /etc/hostname with the name assigned by the cloud. */
function hostname({ storage }: Config): object {
    const contents = storage?.files?.find(({ path }) => path === "/etc/hostname")?.contents;
    const name = inlineContents(contents?.source ?? "", contents?.compression)
        ?.toString()
        .trim();
    return name ? { preserve_hostname: false, prefer_fqdn_over_hostname: true, hostname: name, fqdn: name } : {};
}

function some(key: string, list: readonly unknown[]): object {
    return list.length > 0 ? { [key]: list } : {};
}
