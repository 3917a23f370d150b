import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, isAbsolute, join } from "node:path";
import { gzipSync } from "node:zlib";
import { ApiClient } from "../../clients/kubernetes/api-client";
import { describeError } from "../../clients/kubernetes/api-error";
import { credentialsOf } from "../../clients/kubernetes/kubeconfig";
import { parseCommandLine } from "../../command-line/parse";
import { writePrivate } from "../../command-line/private-file";
import { PROJECT_DIR, pulumiCli } from "../../local/pulumi";
import { dockerClient } from "../../machines/docker";
import { tar } from "../../machines/tar";
import {
    type ClusterChoice,
    clusterFlags,
    parseClusterOptions,
    type ReachedCluster,
    reachCluster,
} from "../reach/cluster";
import { SSH_HELP, type SshOptions } from "../reach/ssh";
import { collect } from "../status/collect";
import { judge } from "../status/judge";
import { noColour } from "../status/render/table";
import { renderJson, renderText } from "../status/render/text";
import { Gathered } from "./gathered";
import { addMachines } from "./machines";

/** `tradewind support-bundle`: 0 when the bundle is written, whatever could not be had. */
export async function run(args: readonly string[]): Promise<number> {
    const options = parseSupportOptions(args);
    if (options.isHelp) {
        process.stdout.write(help);
        return 0;
    }
    const reached = await reachCluster(options);
    const { name, connection } = reached.access;
    const found = new Gathered();
    // npm runs scripts in the checkout, and says where it was called.
    const path = bundlePath(process.env.INIT_CWD ?? process.cwd(), name, new Date(), options.output);
    console.log(`==> [1/4] ${name}: what tradewind status says`);
    await addStatus(reached, found);
    console.log("==> [2/4] the API: objects and logs of kube-system");
    if (connection) await askApi(new ApiClient(connection.server, () => credentialsOf(connection)), found);
    else found.miss("api", "there is no kubeconfig yet");
    console.log("==> [3/4] machines");
    await addMachines(reached, found);
    console.log("==> [4/4] versions");
    const told = await versions(programsOf(reached.access.local !== undefined));
    found.add("versions.json", `${JSON.stringify(told, undefined, 2)}\n`);
    const entries = found.entries(basename(path).replace(/\.(tar\.gz|tgz)$/, ""));
    writePrivate(path, gzipSync(tar(entries)));
    for (const line of found.missed.slice(0, 5)) console.log(`    could not be had: ${line.split("\n")[0]}`);
    console.log(`\n${path}: ${entries.length} files. Look through it before you send it to someone.`);
    return 0;
}

async function addStatus({ access, machines }: ReachedCluster, found: Gathered): Promise<void> {
    const cloud = access.local === undefined ? machines : undefined;
    const facts = await collect({ cluster: access, cloud, controllers: [] });
    const verdict = judge(facts);
    found.add("status.txt", renderText(facts, verdict, noColour));
    found.add("status.json", `${renderJson(facts, verdict, 2)}\n`);
}

const SYSTEM = "/api/v1/namespaces/kube-system";

/** What is asked of the API, by the file that gets the answer. Secrets and ConfigMaps are not. */
const QUESTIONS: Readonly<Record<string, string>> = {
    "api/readyz.txt": "/readyz?verbose",
    "api/nodes.json": "/api/v1/nodes",
    "api/node-events.json": "/api/v1/namespaces/default/events",
    "api/events.json": `${SYSTEM}/events`,
    "api/daemonsets.json": "/apis/apps/v1/namespaces/kube-system/daemonsets",
    "api/deployments.json": "/apis/apps/v1/namespaces/kube-system/deployments",
    "api/jobs.json": "/apis/batch/v1/namespaces/kube-system/jobs",
    "api/leases.json": "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases",
    "api/disruption-budgets.json": "/apis/policy/v1/poddisruptionbudgets",
    "api/certificate-requests.json": "/apis/certificates.k8s.io/v1/certificatesigningrequests",
    "api/etcd-status.json": `${SYSTEM}/configmaps/etcd-status`,
};

/** Lines of each container's log, of its present run and of the one before. */
const LOG_LINES = 2000;

interface PodList {
    readonly items?: readonly Pod[];
}

interface Pod {
    readonly metadata: { readonly name: string };
    readonly status: {
        readonly containerStatuses?: readonly { readonly name: string; readonly restartCount: number }[];
        readonly initContainerStatuses?: readonly { readonly name: string; readonly restartCount: number }[];
    };
}

/** What a cluster's API tells. Once it has turned out not to answer, nothing more is asked. */
export async function askApi(api: ApiClient, into: Gathered): Promise<void> {
    const ask = async (file: string, path: string, timeoutMilliseconds = 20_000) => {
        const answer = await api.call<unknown>(path, { timeoutMilliseconds });
        into.add(file, typeof answer === "string" ? answer : `${JSON.stringify(answer, undefined, 2)}\n`);
        return answer;
    };
    const askOrMiss = (file: string, path: string) =>
        ask(file, path).catch((error) => into.miss(file, describeError(error)));
    try {
        // One that hangs must not keep whoever has to find out why.
        await ask("api/version.json", "/version", 5_000);
    } catch (error) {
        return into.miss("api", describeError(error));
    }
    for (const [file, path] of Object.entries(QUESTIONS)) {
        await askOrMiss(file, path);
    }
    const pods = await askOrMiss("api/pods.json", `${SYSTEM}/pods`);
    for (const { metadata, status } of (pods as PodList | undefined)?.items ?? []) {
        for (const { name, restartCount } of [
            ...(status.initContainerStatuses ?? []),
            ...(status.containerStatuses ?? []),
        ]) {
            for (const run of restartCount > 0 ? ["now", "before"] : ["now"]) {
                const query = `container=${name}&tailLines=${LOG_LINES}&timestamps=true&previous=${run === "before"}`;
                const file = `logs/${metadata.name}/${name}.${run}.log`;
                await askOrMiss(file, `${SYSTEM}/pods/${metadata.name}/log?${query}`);
            }
        }
    }
}

interface SupportOptions extends ClusterChoice, SshOptions {
    /** @default - a name of the cluster and the time, in the folder where the command runs */
    readonly output?: string;
    readonly isHelp: boolean;
}

export const help = `Puts what helps to find out what is wrong with a cluster into one file, to be read or sent to someone who knows.

Usage: tradewind support-bundle [options]

  --name NAME        a cluster of this computer
  --kubeconfig FILE  any cluster, as an administrator (default: $KUBECONFIG,
                     else the cluster of this computer if there is just one)
  --context NAME     a context of the kubeconfig (default: its current one)
${SSH_HELP}
  --output FILE      where it goes (default: <cluster>-support-<time>.tar.gz)
  --help, -h

In it: what tradewind status says, nodes, events, the objects and logs of kube-system, and from each machine that can
be reached the logs of its units, its static pods, and which checkpoints it has; versions of Tradewind, its commit, Pulumi,
Docker and Node. It works with the API down. Left out:
Secrets, ConfigMaps, and pods of other namespaces; keys, tokens and passwords that turn up in what is left are
blotted out. It asks, and changes nothing.

Exit codes:
  0  written; what could not be had is in missing.txt in it
  1  not written
  2  the command line is wrong
`;

/** Parses and checks the command line. Throws `--<option> must be <legal>, got <value>`. */
export function parseSupportOptions(args: readonly string[]): SupportOptions {
    const { values } = parseCommandLine("tradewind support-bundle --help", {
        args: [...args],
        options: { ...clusterFlags, output: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    const { output, help = false } = values;
    return {
        ...parseClusterOptions(values),
        output,
        isHelp: help,
    };
}

/** Where the bundle goes. @param directory - where the command was called */
export function bundlePath(directory: string, cluster: string, now: Date, output?: string): string {
    const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
    const file = output ?? `${cluster}-support-${time}.tar.gz`;
    return isAbsolute(file) ? file : join(directory, file);
}

/** What a program says of itself, or why it says nothing. */
type Said = { readonly said: string } | { readonly unknown: string };

/** Who has the programs that a cluster of this computer is made with, or somebody's own. */
interface Programs {
    readonly pulumi: string;
    readonly docker: string;
    readonly checkout: string;
}

/** @param isLocal - the cluster is of this computer, which has the Pulumi of the cache; others have the one on the PATH */
function programsOf(isLocal: boolean): Programs {
    return { pulumi: isLocal ? pulumiCli() : "pulumi", docker: dockerClient(), checkout: PROJECT_DIR };
}

/** Of what made the cluster and looks at it. What can't be asked is told as such. */
export async function versions({ pulumi, docker, checkout }: Programs): Promise<Readonly<Record<string, string>>> {
    const { version } = require("../../package.json");
    const ofCheckout = ["-C", checkout, "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*"];
    const [ofPulumi, engine, commit] = await Promise.all([
        ask(pulumi, "version"),
        ask(docker, "version", "--format", "{{.Server.Version}}, client {{.Client.Version}}"),
        // A package is in somebody's project, whose commit says nothing of it.
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
        // Pulumi would ask the internet for a newer one.
        const env = { ...process.env, PULUMI_SKIP_UPDATE_CHECK: "true" };
        const options = { env, timeout: 10_000, killSignal: "SIGKILL" as const };
        execFile(program, args, options, (error, stdout, stderr) => {
            const why = (stderr.trim() || error?.message || "").split("\n")[0]!;
            resolve(error ? { unknown: why } : { said: stdout.trim() });
        });
    });
}
