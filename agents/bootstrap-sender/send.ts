import { performance } from "node:perf_hooks";
import { stripVTControlCharacters } from "node:util";
import { elementsAt } from "../../clients/aws/xml";
import { ApiClient, list } from "../../clients/kubernetes/api-client";
import { ApiError, describeError, isNotFound } from "../../clients/kubernetes/api-error";
import { eventsPath } from "../../clients/kubernetes/nodes";
import type { DaemonSet, Event, Pod } from "../../clients/kubernetes/objects";
import { bootstrapComponent } from "../boot/bootstrap/api-notice";
import { readPivotRecord } from "../boot/bootstrap/pivot-record";
import { podProblem } from "../boot/bootstrap/self-hosted";
import { describeErrors, preflightPatience, readFindings } from "../boot/preflight";
import { assetsPath, progressPath, type ReportedProgress, unfitStatus } from "../boot/receiver/assets";
import { awsQueryHere } from "../clean-up/aws/query";
import { redact } from "../harness/redact";
import { waitFor } from "../harness/wait";
import type { Delivery, MachineConsole } from "./delivery";
import { Silence } from "./silence";

/** Without an API after this time, the machine's last lines are shown right away and not only at the end. */
const slowMilliseconds = 180_000;

/**
 * Uploads the assets that start a cluster to the first controller, and waits until the cluster reports its pivot.
 *
 * Connects through the API's load balancer or to the controller itself. At first the receiver answers there, then the
 * reporter until the API does; the names on their certificates tell them apart. Nothing is stored here: another run
 * finds the current state again, and the same assets are accepted only once.
 */
export async function send(
    delivery: Delivery,
    print: (line: string) => void,
    slow = slowMilliseconds,
    unfit = preflightPatience * 1000,
): Promise<void> {
    const { server, apiName, node, receiver, ca, cert, key, assets, timeoutSeconds } = delivery;
    let reached: Reached = { who: "none" };
    const silence = new Silence(delivery, slow);
    let broughtAt = Number.POSITIVE_INFINITY;
    const api = new ApiClient(server, () => ({ ca, cert, key, ...(apiName && { servername: apiName }) }));
    const receiving = new ApiClient(server, () => ({ ca, cert, key, servername: receiver }));
    let last = "";
    const report = (line: string) => {
        if (line !== last) print(line);
        last = line;
    };
    let unfitSince: number | undefined;
    const bring = async () => {
        const taken = { method: "POST", body: assets, isFresh: true, timeoutMilliseconds: 60_000 } as const;
        const { warnings } = readFindings(await receiving.call<string>(assetsPath, taken));
        for (const warning of warnings) print(`${node}: warning: ${warning}`);
        reached = { who: "receiver" };
        broughtAt = performance.now();
        return "the first controller has the assets that start the cluster";
    };
    const ask = async () => {
        const reported = await receiving.call<ReportedProgress>(progressPath, {
            isFresh: true,
            timeoutMilliseconds: 20_000,
        });
        reached = { who: "receiver", reported };
        if (performance.now() - broughtAt < slow) return `${node}: ${reported.stage}`;
        broughtAt = Number.POSITIVE_INFINITY;
        return `${node}: ${reported.stage}\n${redact(reported.lastLines).trimEnd()}`;
    };
    let isBrought = false;
    const askReceiver = async () => {
        try {
            const line = isBrought ? await ask() : await bring();
            isBrought = true;
            return line;
        } catch (error) {
            // A different machine answers, which is waiting for assets.
            if (isNotFound(error)) isBrought = false;
            if (!(error instanceof ApiError && error.status === unfitStatus)) throw error;
            unfitSince ??= performance.now();
            const errors = error.message.slice(`${unfitStatus}: `.length).split("\n");
            if (performance.now() - unfitSince > unfit) {
                throw new UnfitMachine(describeErrors(node, errors));
            }
            return `${node} cannot start the cluster: ${errors.join("; ")}`;
        }
    };
    const patience = { deadline: performance.now() + timeoutSeconds * 1000, report: print };
    const observe = async () => {
        try {
            const record = await readPivotRecord(api);
            if (record !== undefined) {
                report(`pivoted at ${record.pivotedAt}: ${durations(record.durations)}`);
                return undefined;
            }
            const line = await progress(api);
            reached = { who: "API" };
            report(line);
            return line;
        } catch (error) {
            const noApi = describeError(error);
            const result = await askReceiver().catch((refusal) => {
                if (refusal instanceof UnfitMachine) throw refusal;
                silence.add(error, refusal);
                return `no API (${noApi}), no receiver (${describeError(refusal)})`;
            });
            if (!result.startsWith("no API")) report(result);
            else if (silence.isLong) report(silence.reason!);
            return result;
        }
    };
    try {
        await waitFor(patience, "the control plane to run in the cluster", observe, { everyMilliseconds: 500 });
    } catch (error) {
        if (error instanceof UnfitMachine) throw error;
        const stands = await whereItStands(api, node, reached, delivery.console);
        const { reason } = silence;
        throw new Error(
            `${describeError(error)}\n${reason === undefined ? stands : `${reason}\nOtherwise: ${stands}`}`,
        );
    }
}

/** The machine's preflight found errors. */
class UnfitMachine extends Error {
    override readonly name = "UnfitMachine";
}

/** Seconds per step, without the quick ones. */
function durations(json = "{}"): string {
    return Object.entries(JSON.parse(json) as Record<string, number>)
        .filter(([, seconds]) => seconds >= 0.1)
        .map(([step, seconds]) => `${step} ${seconds.toFixed(1)}s`)
        .join(", ");
}

/** Progress of a cluster towards its self-hosted control plane, in one line. */
async function progress(api: ApiClient): Promise<string> {
    const sets = await list<DaemonSet>(api, "/apis/apps/v1/namespaces/kube-system/daemonsets");
    const parts = sets.map(({ metadata: { name }, status: { numberReady = 0, desiredNumberScheduled = 0 } = {} }) => {
        return `${name} ${numberReady}/${desiredNumberScheduled}`;
    });
    return parts.length === 0 ? "the API serves" : `ready: ${parts.sort().join(", ")}`;
}

const podsPath = "/api/v1/namespaces/kube-system/pods";

/** Limits for readable output. */
const most = { pods: 6, lines: 4 };

/** What the bootstrap waits for, and why its pods are not Ready. */
async function progressByApi(api: ApiClient, node: string): Promise<string> {
    try {
        const [waits, pods] = await Promise.all([waitsFor(api, node), list<Pod>(api, podsPath)]);
        const notReadyBecause = pods.flatMap((pod) => (podProblem(pod) ? [pod] : []));
        const problems =
            notReadyBecause.map(podProblem).join("; ") || (pods.length > 0 ? "no pod" : "no pod of kube-system");
        const said = await Promise.all(notReadyBecause.slice(0, most.pods).map((pod) => lastLinesOf(api, pod)));
        return [`${waits}not Ready: ${problems}`, ...said.flat()].join("\n");
    } catch (error) {
        return `could not list what is not Ready (${describeError(error)})`;
    }
}

async function waitsFor(api: ApiClient, node: string): Promise<string> {
    const path = `${eventsPath}?fieldSelector=involvedObject.name%3D${node}`;
    const events = await list<Event>(api, path).catch(() => []);
    const own = events.filter(({ source }) => source?.component === bootstrapComponent);
    const last = own.sort((a, b) => (a.lastTimestamp ?? "").localeCompare(b.lastTimestamp ?? "")).at(-1);
    return last?.message ? `step ${last.message}; ` : "";
}

/** Last lines of its containers that do not run properly. */
async function lastLinesOf(api: ApiClient, { metadata: { name }, status = {} }: Pod): Promise<string[]> {
    const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
    const notReadyBecause = all.filter(({ ready, state }) => !ready && state?.terminated?.exitCode !== 0);
    const logs = notReadyBecause.map(async ({ name: container, restartCount = 0, state }) => {
        const isBefore = restartCount > 0 && state?.waiting !== undefined;
        const query = `container=${container}&tailLines=${most.lines}${isBefore ? "&previous=true" : ""}`;
        const text = await api.call<unknown>(`${podsPath}/${name}/log?${query}`).catch(() => "");
        return text ? [`--- container ${container} of ${name}`, redact(String(text)).trimEnd()] : [];
    });
    return (await Promise.all(logs)).flat();
}

/** What last answered on the API's address, and what the machine reported about itself. */
interface Reached {
    readonly who: "none" | "receiver" | "API";
    readonly reported?: ReportedProgress;
}

const journals = (units: string) => `see \`journalctl ${units}\` there`;

/** How far a cluster that does not start got, and why, as reported by its machine as far as it is reachable. */
async function whereItStands(
    api: ApiClient,
    node: string,
    { who, reported }: Reached,
    machine: MachineConsole | undefined,
): Promise<string> {
    if (who === "API") return `the API of ${node} served; ${await progressByApi(api, node)}`;
    if (reported !== undefined) return `${node}: ${reported.stage}\n${redact(reported.lastLines).trimEnd()}`;
    if (who === "receiver") {
        const units = journals("-u bootstrap -u kubelet -u containerd");
        return `${node} has the assets that start the cluster, but its API did not start: ${units}; ${await consoleOf(machine)}`;
    }
    const units = journals("-u containerd -u bootstrap-receiver");
    return `${node} never answered: its machine did not boot, Ignition or cloud-init failed, or containerd did not run or could not pull images: ${units}; ${await consoleOf(machine)}`;
}

const mostLines = 40;

/** What a machine's console shows, if it can be fetched from here, or else how to read it. */
export async function consoleOf(
    machine: MachineConsole | undefined,
    env: NodeJS.ProcessEnv = process.env,
): Promise<string> {
    if (machine === undefined) return "see its console";
    const { byHand, ec2 } = machine;
    if (ec2 === undefined) return `see its console: ${byHand}`;
    try {
        const shown = await shownByEc2(ec2, env);
        return shown ? `its console (${byHand}):\n${shown}` : `its console shows nothing yet: ${byHand}`;
    } catch (error) {
        return `see its console: ${byHand} (could not fetch it here: ${describeError(error)})`;
    }
}

async function shownByEc2({ region, instanceId }: Required<MachineConsole>["ec2"], env: NodeJS.ProcessEnv) {
    const query = await awsQueryHere(region, env);
    // Without `Latest` this is the output of some minutes after the boot. Instances not based on Nitro support nothing
    // else.
    const of = { InstanceId: instanceId };
    const answer = await query("ec2", "GetConsoleOutput", { ...of, Latest: "true" }).catch(() =>
        query("ec2", "GetConsoleOutput", of),
    );
    const [output] = elementsAt(answer, "output");
    const text = Buffer.from(output?.text ?? "", "base64").toString();
    const lines = stripVTControlCharacters(text)
        .split(/\r*\n/)
        .filter((line) => line.trim() !== "");
    return redact([...ownWords(lines), ...lines.slice(-mostLines)].join("\n"));
}

/**
 * The machine's last messages about what it waits for, if the output of restarting units has buried them. See
 * `bootConsole`.
 */
function ownWords(lines: readonly string[]): string[] {
    // On the console, journald adds a timestamp, and the program and its PID.
    const isOwn = (line: string) => /^(\[[^\]]*\] )?([\w-]+\[\d+\]: )?tradewind: /.test(line);
    const begin = lines.findLastIndex((line) => isOwn(line) && line.endsWith(" s after boot"));
    const drowned = begin < 0 ? [] : lines.slice(begin, -mostLines).filter(isOwn);
    return drowned.length > 0 ? [...drowned, "…"] : [];
}
