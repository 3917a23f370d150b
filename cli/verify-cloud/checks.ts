import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../../agents/harness/wait";
import { ask } from "../../clients/http";
import { type ApiClient, list } from "../../clients/kubernetes/api-client";
import { ifFound } from "../../clients/kubernetes/api-error";
import type { Nodes } from "./nodes";
import { claim, client, mounted, namespace, server, service } from "./objects";

type Say = (line: string) => void;

/** What checks need of a cluster. */
export interface Context {
    readonly api: ApiClient;
    /** Image of Node.js. */
    readonly image: string;
    readonly nodes: Nodes;
}

export interface Check {
    readonly name: string;
    readonly what: string;
    readonly check: (context: Context, say: Say) => Promise<string>;
}

/** Unit: seconds. */
const limits = { pod: 300, volume: 600, loadBalancer: 900 };

const often = { everyMilliseconds: 300 };

/** The checks, in order: the first one starts the server that the next ones ask. */
export function checks(selection: { readonly volumes: boolean; readonly loadBalancers: boolean }): Check[] {
    return [
        { name: "API", what: "100 requests through its load balancer or name", check: apiAnswers },
        { name: "pod network", what: "from a pod on the worker to one on the controller", check: podNetwork },
        { name: "DNS", what: "a Service's name, and a name outside", check: dns },
        ...(selection.volumes
            ? [{ name: "volume", what: "written by one pod, read by the next one", check: volume }]
            : []),
        ...(selection.loadBalancers
            ? [{ name: "LoadBalancer Service", what: "reached from this machine", check: loadBalancer }]
            : []),
    ];
}

async function apiAnswers({ api }: Context): Promise<string> {
    const took: number[] = [];
    for (let request = 0; request < 100; request++) {
        const began = performance.now();
        await api.call("/readyz", { isFresh: true });
        took.push(performance.now() - began);
    }
    const sorted = took.sort((a, b) => a - b);
    return `median ${sorted[50]!.toFixed(0)} ms, slowest ${sorted[99]!.toFixed(0)} ms, none failed`;
}

async function podNetwork(context: Context, say: Say): Promise<string> {
    const { api, nodes } = context;
    await create(api, "/api/v1/namespaces", namespace);
    await create(api, path("services"), service("ClusterIP"));
    await create(api, path("pods"), server(context.image, nodes.controller));
    const address = await podState(api, "server", say, ({ podIP }, isReady) => (isReady ? podIP : undefined));
    return clientSays(context, "to-pod", `http://${address}:8080/`, say);
}

async function dns(context: Context, say: Say): Promise<string> {
    const inside = await clientSays(context, "to-service", `http://server.${space}.svc.cluster.local/`, say);
    const outside = await clientSays(context, "outside", "dns:registry.k8s.io", say, 3).catch(
        // Machines may have no outbound internet.
        (error: Error) => `not resolved (${error.message})`,
    );
    return `${inside}; outside: ${outside}`;
}

async function volume(context: Context, say: Say): Promise<string> {
    const { api, image } = context;
    await create(api, path("persistentvolumeclaims"), claim);
    await create(api, path("pods"), mounted(image, "writer", "require('fs').writeFileSync('/data/kept', 'kept')"));
    await succeeded(api, "writer", say, limits.volume);
    await api.call(path("pods/writer"), { method: "DELETE" });
    const read = "process.stdout.write(require('fs').readFileSync('/data/kept', 'utf8'))";
    await create(api, path("pods"), mounted(image, "reader", read));
    await succeeded(api, "reader", say, limits.volume);
    return `${await logOf(api, "reader")}: a volume was created, attached and mounted twice`;
}

async function loadBalancer({ api }: Context, say: Say): Promise<string> {
    await create(api, path("services"), service("LoadBalancer"));
    let answer = "";
    const patience = { deadline: performance.now() + limits.loadBalancer * 1000, report: say };
    await waitFor(
        patience,
        "an answer through the load balancer",
        async () => {
            const { status } = await api.call<Service>(path("services/public"));
            const { ip, hostname } = status?.loadBalancer?.ingress?.[0] ?? {};
            const address = ip ?? hostname;
            if (!address) return "the Service has no address";
            answer = await ask(`http://${address}/`, {}, 5_000).then(
                ({ text }) => text,
                (error: Error) => error.message,
            );
            return answer === "hello" ? undefined : `${address}: ${answer}`;
        },
        often,
    );
    return `answered ${answer}`;
}

interface Service {
    readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { ip?: string; hostname?: string }[] } };
}

/** Deletes what the checks created, and waits until load balancers and volumes are deleted. */
export async function removeChecks({ api }: Pick<Context, "api">, say: Say): Promise<string> {
    await ifFound(api.call(`/api/v1/namespaces/${space}`, { method: "DELETE" }));
    const patience = { deadline: performance.now() + limits.loadBalancer * 1000, report: say };
    await waitFor(
        patience,
        "the namespace and its volumes to be deleted",
        async () => {
            if (await ifFound(api.call(`/api/v1/namespaces/${space}`))) return `namespace ${space} exists`;
            const volumes = await list<Volume>(api, "/api/v1/persistentvolumes");
            const own = volumes.filter(({ spec }) => spec.claimRef?.namespace === space);
            return own.length > 0 ? `${own.length} volumes exist` : undefined;
        },
        often,
    );
    return "nothing of the checks is left";
}

interface Volume {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly claimRef?: { readonly namespace?: string } };
}

const space = namespace.metadata.name;

function path(kind: string): string {
    return `/api/v1/namespaces/${space}/${kind}`;
}

/** Retries while a new namespace has no service account yet. */
async function create(api: ApiClient, at: string, body: object): Promise<void> {
    for (let attempt = 1; ; attempt++) {
        try {
            await api.call(at, { method: "POST", body });
            return;
        } catch (error) {
            if (attempt === 20) throw error;
            await sleep(500);
        }
    }
}

/** What a pod on the worker gets from a URL, or the addresses of a name. */
async function clientSays(
    { api, image, nodes }: Context,
    name: string,
    url: string,
    say: Say,
    attempts = 30,
): Promise<string> {
    await create(api, path("pods"), client(image, nodes.worker, name, url, attempts));
    await succeeded(api, name, say);
    return `${url} answered ${await logOf(api, name)}`;
}

interface PodStatus {
    readonly phase?: string;
    readonly podIP?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
}

async function podState<T>(
    api: ApiClient,
    name: string,
    say: Say,
    read: (status: PodStatus, isReady: boolean) => T | undefined,
    seconds = limits.pod,
): Promise<T> {
    let found: T | undefined;
    const patience = { deadline: performance.now() + seconds * 1000, report: say };
    await waitFor(
        patience,
        `pod ${name}`,
        async () => {
            const { status = {} } = await api.call<{ status?: PodStatus }>(path(`pods/${name}`));
            if (status.phase === "Failed") throw new Error(`pod ${name} failed: ${await logOf(api, name)}`);
            found = read(
                status,
                status.conditions?.some((each) => each.type === "Ready" && each.status === "True") ?? false,
            );
            const why = status.conditions?.find((each) => each.status === "False" && each.message)?.message;
            return found === undefined ? `${status.phase}${why ? ` (${why})` : ""}` : undefined;
        },
        often,
    );
    return found!;
}

async function succeeded(api: ApiClient, name: string, say: Say, seconds?: number): Promise<void> {
    await podState(api, name, say, ({ phase }) => (phase === "Succeeded" ? true : undefined), seconds);
}

/** Text of its log. The API may not have the last lines at once. */
async function logOf(api: ApiClient, name: string): Promise<string> {
    return String(await api.call<unknown>(path(`pods/${name}/log`), { accept: "*/*" })).trim();
}
