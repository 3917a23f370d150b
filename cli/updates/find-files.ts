import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { UsageError } from "../usage-error";

/** The stacks' configuration files of the Pulumi project in a folder; an error if there is none. */
export function stackFilesIn(folder: string): string[] {
    const project = join(folder, "Pulumi.yaml");
    if (!existsSync(project)) {
        throw new UsageError("FILE must be given, or a Pulumi.yaml be in this folder; see tradewind updates --help");
    }
    const { stackConfigDir = "." } = parse(readFileSync(project, "utf8")) ?? {};
    const where = join(folder, stackConfigDir);
    return readdirSync(where)
        .filter((name) => /^Pulumi\..+\.yaml$/.test(name))
        .sort()
        .map((name) => join(where, name));
}
