import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { programPath } from "../../artifacts/programs";
import { PROJECT_DIR } from "../../local/pulumi";
import { withCluster } from "./no-change/stack";
import { within } from "./package";
import { compare, type Group, type Result } from "./report";

const ROUNDS = 9;
const KUBECTL = "kubectl get nodes,pods --all-namespaces";

/** `tradewind status` of three controllers and three workers, and its startup time. */
export const run: Group = ({ result, say }, { signal, stack }) =>
    withCluster(
        stack,
        signal,
        async ({ name, kubeconfig }) => {
            say(`${ROUNDS} rounds against only Node`);
            const start = await compare(ROUNDS, () => status("--help"), node);
            signal.throwIfAborted();
            say(`${ROUNDS} rounds against ${KUBECTL}`);
            const kubectl = () =>
                ended(programPath("kubectl"), ["--kubeconfig", kubeconfig, ...KUBECTL.split(" ").slice(1)]);
            let unhealthy = 0;
            const observe = () => {
                unhealthy += status("--name", name);
                signal.throwIfAborted();
            };
            const whole = await compare(ROUNDS, observe, kubectl);
            if (unhealthy > 0) {
                say(`    the cluster was unhealthy ${unhealthy} times, which takes longer because of timeouts`);
            }
            for (const each of results(start, whole)) {
                result(each);
            }
        },
        ["--controllers", "3", "--workers", "3"],
    );

/** Both in milliseconds: startup, and the status of a cluster. */
export function results(start: { value: number; peer: number }, whole: { value: number; peer: number }): Result[] {
    const against = (name: string, { value, peer }: { value: number; peer: number }, title: string, goal: number) => ({
        ...{ name: `status.${name}`, value: value / 1000, unit: "s", peer: title },
        ...{ ratio: value / peer, goal },
    });
    return [
        within("status.time", "s", whole.value / 1000, 1),
        // kubectl queries a single server, and no machines.
        against("against-kubectl", whole, KUBECTL, 5),
        against("start", start, "only Node", 3),
    ];
}

function status(...args: string[]): number {
    return ended(process.execPath, [join(PROJECT_DIR, "dev/tradewind.cjs"), "status", ...args], [0, 1]);
}

function node(): number {
    return ended(process.execPath, ["-e", ""]);
}

/** Runs a program and returns its exit code. */
function ended(program: string, args: readonly string[], legal: readonly number[] = [0]): number {
    const { status: exitCode, stderr, error } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 28 });
    if (exitCode === null || !legal.includes(exitCode)) {
        throw error ?? new Error(`${program} ${args[0]} failed (exit code ${exitCode}): ${stderr}`);
    }
    return exitCode;
}
