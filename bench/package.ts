import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PROJECT_DIR } from "../cli/pulumi-env";
import { buildPackage } from "../release/build";
import { compare, type Group, type Result } from "./report";

const ROUNDS = 5;
const CLUSTERS = ["components/aws/cluster", "components/digitalocean/cluster", "components/local/cluster"];

/** What a program pays that imports the npm package. */
export const run: Group = async ({ result, say }) => {
    const scratch = mkdtempSync(join(tmpdir(), "tradewind-bench-package-"));
    try {
        const folder = join(scratch, "tradewind");
        say("the package is built");
        await buildPackage(folder);
        result(within("package.size", "MB", sizeOf(folder) / 1e6, 2));
        symlinkSync(join(PROJECT_DIR, "node_modules"), join(scratch, "node_modules"));
        for (const path of CLUSTERS) {
            const [, cloud] = path.split("/");
            say(`${ROUNDS} imports of a cluster on ${cloud}`);
            const [ours, sdk] = [join(folder, path), "@pulumi/pulumi"].map((name) => () => imported(scratch, name));
            const { value, peer } = await compare(ROUNDS, ours!, sdk!);
            result({
                name: `package.import-${cloud}`,
                value: value / 1000,
                unit: "s",
                peer: "import of Pulumi's SDK alone",
                ratio: value / peer,
                // And no more than 1.5 s.
                goal: 1.5,
            });
            result(within(`package.memory-${cloud}`, "MB", ours!() / 1e6, 250));
        }
    } finally {
        rmSync(scratch, { recursive: true });
    }
};

/** Against what is wanted at most. */
export function within(name: string, unit: string, value: number, most: number): Result {
    return { name, value, unit, peer: `the ${most} ${unit} that are wanted at most`, ratio: value / most, goal: 1 };
}

/** Imports something in a process of its own; bytes that are in memory then. */
function imported(folder: string, name: string): number {
    const program = `require(${JSON.stringify(name)}); console.log(process.memoryUsage().rss);`;
    return Number(execFileSync(process.execPath, ["-e", program], { cwd: folder, encoding: "utf8" }));
}

function sizeOf(folder: string): number {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
