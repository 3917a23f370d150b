import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { BootstrapProgress, parseStage } from "../agents/boot/bootstrap/progress";
import { lastLinesScript } from "../agents/harness/last-lines";
import { redact } from "../agents/harness/redact";
import type { Bundle } from "../ignition";
import { docker, dockerClient, exec } from "./docker";
import { requireMachine } from "./machine";
import { containerName } from "./names";
import { type TarEntry, tar } from "./tar";

export interface BootstrapWaitOptions {
    readonly cluster: string;
    readonly name: string;

    /** Seconds. @default 900 */
    readonly timeout?: number;

    /** Receives each stage as it happens, as a readable line. @default - written to standard output */
    readonly print?: (line: string) => void;
}

/** For one observation, which ends on its own after 15 s: a hanging client must not hold up the next one. */
const FOLLOW_LIMIT_MS = 60_000;

/**
 * Follows the bootstrap, through crashes and reboots of the machine, until the cluster's own control plane has taken
 * over. Throws an error with the step and the last log lines of its units if it gives up, keeps failing or takes too
 * long.
 */
export async function waitForBootstrap(options: BootstrapWaitOptions): Promise<void> {
    const { cluster, name, timeout = 900, print = console.log } = options;
    await requireMachine(cluster, name);
    const container = containerName(cluster, name);
    const start = Date.now();
    const deadline = start + timeout * 1000;
    const progress = new BootstrapProgress(start);
    let count = 0;
    while (Date.now() < deadline) {
        const before = count;
        const command = ["exec", container, "/usr/lib/tradewind/follow-bootstrap", String(count)];
        const limit = Math.min(FOLLOW_LIMIT_MS, deadline - Date.now());
        const exitCode = await streamDocker(command, { timeout: limit }, (line) => {
            count++;
            progress.take(parseStage(line));
            print(describeStage(line));
        });
        if (exitCode === 0) {
            return;
        }
        if (exitCode === 4 || progress.isHopeless) {
            throw new Error(`the bootstrap on ${name} failed${progress.describe()}\n${await lastLines(container)}`);
        }
        if (count === before) {
            const seconds = Math.round((Date.now() - start) / 1000);
            print(`bootstrap: waiting for ${name}, ${seconds}s: ${await whatItWaitsFor(container)}`);
        }
        // If the machine was off or still booting, the log continues where it stopped.
        await sleep(500);
    }
    throw new Error(
        `the bootstrap on ${name} did not finish within ${timeout} s${progress.describe()}\n${await lastLines(container)}`,
    );
}

/** A line of the stage log in readable form: `bootstrap: apply-manifests done in 1.2s`. */
export function describeStage(line: string): string {
    const stage = parseStage(line);
    if (stage === undefined) {
        return `bootstrap: ${line}`;
    }
    const { step, event, seconds, message } = stage;
    const duration = seconds === undefined ? "" : `${event === "done" ? " in" : " after"} ${seconds.toFixed(1)}s`;
    return `bootstrap: ${step} ${event}${duration}${message ? `: ${message}` : ""}`;
}

/** State of the bootstrap's unit, its last log line and the init system's pending jobs, on one line. */
async function whatItWaitsFor(container: string): Promise<string> {
    const probe = `systemctl show --property ActiveState --property SubState --value bootstrap.service | xargs
        journalctl --no-pager --lines 1 --output cat --unit bootstrap
        systemctl list-jobs --no-legend --plain | head --lines 5`;
    const words = await docker(["exec", container, "sh", "-c", probe], { timeout: 10_000 }).catch(
        (error: Error) => error.message,
    );
    return words
        .trim()
        .split(/\s*\n\s*/)
        .join("; ");
}

/**
 * Unpacks an archive of that many bytes from standard input and starts the bootstrap; if it was already unpacked
 * completely, only starts it. Commands of an interrupted run may still be running here, so each one has its own
 * directory (in memory, as it holds keys) and they take turns. The kubelet must not see half a static pod, so those are
 * renamed into place last; the kubelet is then restarted, as it may have read its join configuration by then.
 */
const start = `set -eu
umask 077
state=/var/lib/tradewind/bootstrap
pods=etc/kubernetes/manifests
new=$(mktemp -d /run/tradewind-bootstrap.XXXXXX)
trap 'rm -rf "$new" /etc/kubernetes/incoming' EXIT
cat >"$new/assets.tar"
[ "$(wc -c <"$new/assets.tar")" -eq "$1" ]
shift
mkdir -p "$state" /etc/kubernetes
exec 9<"$state"
flock 9
[ ! -e "$state/pivoted" ] || exit 0
if [ ! -e "$state/unpacked" ]; then
    rm -rf /var/lib/kubelet/kubeconfig /etc/kubernetes/incoming
    tar -x -C / -f "$new/assets.tar" --exclude="$pods/*"
    mkdir /etc/kubernetes/incoming
    tar -x -C /etc/kubernetes/incoming -f "$new/assets.tar" --strip-components 3 --wildcards "$pods/*"
    sync
    mv /etc/kubernetes/incoming/* "/$pods"
    sync
    systemctl daemon-reload
    systemctl enable --quiet "$@"
    systemctl restart --no-block kubelet.service
    touch "$state/unpacked"
    sync
fi
systemctl start --no-block "$@"
`;

/** Copies a cluster's bootstrap assets to a machine and starts the bootstrap there. */
export async function startBootstrap(cluster: string, name: string, { entries, units }: Bundle): Promise<void> {
    await requireMachine(cluster, name);
    const archive = tar(
        entries.map(
            ({ path, contents, ...rest }): TarEntry => ({
                ...rest,
                path: path.slice(1),
                ...(contents !== undefined && { contents: Buffer.from(contents, "base64") }),
            }),
        ),
    );
    await exec(cluster, name, ["sh", "-c", start, "start-bootstrap", String(archive.length), ...units], archive);
}

/**
 * Runs the Docker client and passes on each line of its standard output as it arrives. Resolves to its exit code, or to
 * undefined if it was stopped after the timeout (in milliseconds).
 */
export function streamDocker(
    args: readonly string[],
    { timeout }: { timeout: number },
    onLine: (line: string) => void,
): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
        const child = spawn(dockerClient(), [...args], {
            stdio: ["ignore", "pipe", "ignore"],
            timeout,
            killSignal: "SIGKILL",
        });
        const lines = createInterface({ input: child.stdout });
        lines.on("line", onLine);
        child.on("error", reject);
        // Wait for both, or the last lines get lost.
        const closed = new Promise<void>((done) => lines.on("close", done));
        child.on("close", (exitCode) => closed.then(() => resolve(exitCode ?? undefined)));
    });
}

/** Diagnostics of a machine that makes no progress, for the error of an `up`. */
export async function lastLines(container: string): Promise<string> {
    return docker(["exec", container, "sh", "-c", lastLinesScript], { timeout: 30_000 }).then(
        redact,
        (error: Error) => `no journal: ${error.message}`,
    );
}
