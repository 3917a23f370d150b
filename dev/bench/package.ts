import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { EmptyProject } from "../release/empty-project";
import { compare, type Group, type Result } from "./report";

const ROUNDS = 5;
const CLUSTERS = { aws: "AwsCluster", digitalocean: "DigitalOceanCluster", local: "LocalCluster" };
/** What a program for AWS has without ours. */
const SDKS = ["@pulumi/pulumi", "@pulumi/aws"];

/** What a program pays that imports the npm package. */
export const run: Group = async ({ result, say }) => {
    const [project, peer] = [new EmptyProject(), new EmptyProject()];
    try {
        say("the package is made, and installed in an empty project");
        await project.make();
        result(within("package.size", "MB", sizeOf(project.package) / 1e6, 2));
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

/** Of an import: how long it takes, by itself and against the least that a program imports, and the most memory of any round. */
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
            ...{ peer: "import of Pulumi's SDK alone", ratio: value / sdk, goal: 1.5 },
        },
        within(`package.memory-${cloud}`, "MB", Math.max(...bytes) / 1e6, 250),
    ];
}

/** Against what is wanted at most. */
export function within(name: string, unit: string, value: number, most: number): Result {
    return { name, value, unit, peer: `the ${most} ${unit} that are wanted at most`, ratio: value / most, goal: 1 };
}

/** Imports something in a process of its own; bytes that are in memory then. */
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
