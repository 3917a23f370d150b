import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { cloudNames, clouds } from "../../cluster/clouds";
import { EmptyProject } from "../release/empty-project";
import { compare, type Group, type Result } from "./report";

const ROUNDS = 5;
const CLUSTERS = {
    ...Object.fromEntries(cloudNames.map((name) => [name, clouds[name].component])),
    local: "LocalCluster",
};
/** What an AWS program imports without Tradewind. */
const SDKS = ["@pulumi/pulumi", "@pulumi/aws"];

/** Cost of importing the npm package. */
export const run: Group = async ({ result, say }) => {
    const [project, peer] = [new EmptyProject(), new EmptyProject()];
    try {
        say("building the package, and installing it in an empty project");
        await project.make();
        result(within("package.size", "MB", sizeOf(project.package) / 1e6, 8));
        peer.install(...SDKS.map((name) => `${name}@${versionOf(name)}`));
        const [whole, sdks] = [project, peer].map(({ dir }) => sizeOf(join(dir, "node_modules")) / 1e6);
        result({
            name: "package.install-size",
            value: whole!,
            unit: "MB",
            peer: SDKS.join(" and "),
            ratio: whole! / sdks!,
            goal: 1.5,
        });
        for (const [cloud, name] of Object.entries(CLUSTERS)) {
            say(`${ROUNDS} imports of ${name}`);
            const bytes: number[] = [];
            const ours = () => bytes.push(imported(project, `require("tradewind").${name}`));
            const times = await compare(ROUNDS, ours, () => imported(project, 'require("@pulumi/pulumi")'));
            for (const each of importResults(cloud, times, bytes)) result(each);
        }
    } finally {
        project.remove();
        peer.remove();
    }
};

/** Duration of an import, absolute and relative to the minimum a program imports, and the maximum memory of all rounds. */
export function importResults(
    cloud: string,
    { value, peer: sdk }: { value: number; peer: number },
    bytes: readonly number[],
): Result[] {
    const seconds = value / 1000;
    return [
        within(`package.import-time-${cloud}`, "s", seconds, 1.5),
        {
            ...{ name: `package.import-${cloud}`, value: seconds, unit: "s" },
            ...{ peer: "import of only Pulumi's SDK", ratio: value / sdk, goal: 1.5 },
        },
        within(`package.memory-${cloud}`, "MB", Math.max(...bytes) / 1e6, 250),
    ];
}

/** Relative to a fixed limit. */
export function within(name: string, unit: string, value: number, most: number): Result {
    return { name, value, unit, peer: `the limit of ${most} ${unit}`, ratio: value / most, goal: 1 };
}

/** Imports a module in a separate process; returns its memory in bytes. */
function imported(project: EmptyProject, expression: string): number {
    return Number(project.run("-e", `${expression}; console.log(process.memoryUsage().rss);`));
}

function versionOf(name: string): string {
    return require(`${name}/package.json`).version;
}

function sizeOf(folder: string): number {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
