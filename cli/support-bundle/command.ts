import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { gzipSync } from "node:zlib";
import type { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { clientOf } from "../../clients/kubernetes/kubeconfig";
import type { List, Pod } from "../../clients/kubernetes/objects";
import { command } from "../../command-line/command";
import { flag, value } from "../../command-line/parse";
import { writePrivate } from "../../command-line/private-file";
import { PROJECT_DIR, pulumiCli } from "../../local/pulumi";
import { dockerClient } from "../../machines/docker";
import { tar } from "../../machines/tar";
import { type ClusterChoice, clusterOptions, type ReachedCluster, reachCluster } from "../reach/cluster";
import { collect } from "../status/collect";
import { judge } from "../status/judge";
import { noColour } from "../status/render/table";
import { renderJson, renderText } from "../status/render/text";
import { Gathered } from "./gathered";
import { harmless, isOwnContainer } from "./harmless";
import { addMachines } from "./machines";

export const program = command(
    {
        name: "tradewind support-bundle",
        about: "Collects logs and diagnostics of a cluster into one file, to read yourself or to share.",
        options: {
            output: value("FILE", "output file", undefined, {
                short: "o",
                otherwise: "<cluster>-support-<time>.tar.gz",
            }),
            auditLog: flag("include the newest entries of the audit log: who did what, with names of objects"),
            ...clusterOptions,
        },
        notes: `Contains the output of tradewind status, nodes, events and objects of kube-system, logs of its own pods, and from each reachable machine the logs of its units, its static pods and the names of its checkpoints; versions of Tradewind (with its commit), Pulumi, Docker and Node. Works while the API is down. Excludes Secrets, ConfigMaps, pods of other namespaces, and of other programs' objects in kube-system all logs, arguments, variables and annotations; redacts keys, tokens and passwords found in the rest. Read-only.

Exit codes:
  0  written; missing.txt in the bundle lists what could not be collected
  1  not written
  2  invalid command line`,
    },
    ({ output, auditLog, ...choice }) => writeBundle(choice, { output, auditLog }),
);

/** `tradewind support-bundle`: 0 if the bundle was written, even if parts are missing. */
async function writeBundle(
    choice: ClusterChoice,
    { output, auditLog }: { readonly output: string | undefined; readonly auditLog: boolean },
): Promise<number> {
    const reached = await reachCluster(choice);
    const { name, connection } = reached.access;
    const found = new Gathered();
    // npm runs scripts in the checkout; INIT_CWD is where it was called.
    const path = bundlePath(process.env.INIT_CWD ?? process.cwd(), name, new Date(), output);
    console.log(`==> [1/4] ${name}: tradewind status`);
    await addStatus(reached, found);
    console.log("==> [2/4] the API: objects and logs of kube-system");
    if (connection) await askApi(clientOf(connection, "tradewind-support-bundle"), found);
    else found.miss("api", "no kubeconfig yet");
    console.log("==> [3/4] machines");
    await addMachines(reached, found, { auditLog });
    console.log("==> [4/4] versions");
    const reported = await versions(programsOf(reached.access.local !== undefined));
    found.add("versions.json", `${JSON.stringify(reported, undefined, 2)}\n`);
    const entries = found.entries(basename(path).replace(/\.(tar\.gz|tgz)$/, ""));
    writePrivate(path, gzipSync(tar(entries)));
    for (const line of found.missed.slice(0, 5)) console.log(`    not collected: ${line.split("\n")[0]}`);
    console.log(`\n${path}: ${entries.length} files. Review it before you share it.`);
    return 0;
}

async function addStatus(reached: ReachedCluster, found: Gathered): Promise<void> {
    const facts = await collect(reached);
    const verdict = judge(facts);
    found.add("status.txt", renderText(facts, verdict, noColour));
    found.add("status.json", `${renderJson(facts, verdict, 2)}\n`);
}

const SYSTEM = "/api/v1/namespaces/kube-system";

/** API requests, by the output file. Secrets and ConfigMaps are excluded. */
const QUESTIONS: Readonly<Record<string, string>> = {
    "api/readyz.txt": "/readyz?verbose",
    "api/nodes.json": "/api/v1/nodes",
    "api/node-events.json": "/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind%3DNode",
    "api/events.json": `${SYSTEM}/events`,
    "api/daemonsets.json": "/apis/apps/v1/namespaces/kube-system/daemonsets",
    "api/deployments.json": "/apis/apps/v1/namespaces/kube-system/deployments",
    "api/jobs.json": "/apis/batch/v1/namespaces/kube-system/jobs",
    "api/leases.json": "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
    "api/disruption-budgets.json": "/apis/policy/v1/poddisruptionbudgets",
    "api/certificate-requests.json": "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "api/etcd-status.json": `${SYSTEM}/configmaps/etcd-status`,
};

/** Number of log lines per container, for the current and the previous run. */
const LOG_LINES = 2000;

/** Collects from a cluster's API. If it does not answer, it is not queried further. */
export async function askApi(api: ApiClient, into: Gathered): Promise<void> {
    const ask = async (file: string, path: string, timeoutMilliseconds = 20_000) => {
        const answer = await api.call<unknown>(path, { timeoutMilliseconds });
        into.add(file, typeof answer === "string" ? answer : `${JSON.stringify(harmless(answer), undefined, 2)}\n`);
        return answer;
    };
    const askOrMiss = (file: string, path: string) =>
        ask(file, path).catch((error) => into.miss(file, describeError(error)));
    try {
        // A hanging API must not delay the rest of the bundle.
        await ask("api/version.json", "/version", 5_000);
    } catch (error) {
        return into.miss("api", describeError(error));
    }
    for (const [file, path] of Object.entries(QUESTIONS)) {
        await askOrMiss(file, path);
    }
    const pods = await askOrMiss("api/pods.json", `${SYSTEM}/pods`);
    for (const { metadata, status } of (pods as List<Pod> | undefined)?.items ?? []) {
        const statuses = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
        for (const { name, restartCount = 0 } of statuses) {
            if (!isOwnContainer(metadata.name, name)) continue;
            for (const run of restartCount > 0 ? ["now", "before"] : ["now"]) {
                const query = `container=${name}&tailLines=${LOG_LINES}&timestamps=true&previous=${run === "before"}`;
                const file = `logs/${metadata.name}/${name}.${run}.log`;
                await askOrMiss(file, `${SYSTEM}/pods/${metadata.name}/log?${query}`);
            }
        }
    }
}

/** Path of the bundle. @param directory - where the command was called */
export function bundlePath(directory: string, cluster: string, now: Date, output?: string): string {
    const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
    const file = output ?? `${cluster}-support-${time}.tar.gz`;
    return isAbsolute(file) ? file : join(directory, file);
}

/** Output of a program, or why there is none. */
type Said = { readonly said: string } | { readonly unknown: string };

/** Where the programs are: those of local clusters, or the user's own. */
interface Programs {
    readonly pulumi: string;
    readonly docker: string;
    readonly checkout: string;
}

/** @param isLocal - local clusters use the Pulumi from the cache, others the one on PATH */
function programsOf(isLocal: boolean): Programs {
    return { pulumi: isLocal ? pulumiCli() : "pulumi", docker: dockerClient(), checkout: PROJECT_DIR };
}

/** Versions of the programs involved. Failures are reported as values. */
export async function versions({ pulumi, docker, checkout }: Programs): Promise<Readonly<Record<string, string>>> {
    const { version } = require("../../package.json");
    const ofCheckout = ["-C", checkout, "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"];
    const [ofPulumi, engine, commit] = await Promise.all([
        ask(pulumi, "version"),
        ask(docker, "version", "--format", "{{.Server.Version}}, client {{.Client.Version}}"),
        // A package is installed in another project, whose commit is irrelevant.
        existsSync(join(checkout, ".git")) ? ask("git", ...ofCheckout) : { unknown: "no checkout" },
    ]);
    return {
        tradewind: version,
        commit: shown(commit),
        pulumi: shown(ofPulumi).replace(/^v/, ""),
        docker: shown(engine),
        node: process.version,
        platform: `${process.platform} ${process.arch}`,
    };
}

function shown(answer: Said): string {
    return "said" in answer ? answer.said : `unknown: ${answer.unknown}`;
}

function ask(program: string, ...args: string[]): Promise<Said> {
    return new Promise((resolve) => {
        // Keeps Pulumi from checking for a newer version online.
        const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, timeout: 10_000, killSignal: "SIGKILL" as const };
        execFile(program, args, options, (error, stdout, stderr) => {
            const why = (stderr.trim() || error?.message || "").split("\n")[0]!;
            resolve(error ? { unknown: why } : { said: stdout.trim() });
        });
    });
}
