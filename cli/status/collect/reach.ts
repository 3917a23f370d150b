import { setTimeout as sleep } from "node:timers/promises";
import type { Credentials } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { ports } from "../../../cluster/network/ports";
import { admissionProblems } from "../../../components/admission/judge";
import { observeAdmission } from "../../../components/admission/observe";
import { type ApiFacts, type ClusterFacts, type EtcdFacts, type Fact, ifKnown, known, unknown } from "../facts";
import { type ApiAnswers, apiClient, readApi } from "./api";
import { askEtcd, withReadiness } from "./etcd";
import { etcdctl, etcdPods } from "./etcdctl";
import type { Hosts } from "./hosts";
import type { Machines } from "./machines";
import { endingNamespaces } from "./namespaces";
import { waitingRequests } from "./requests";
import { readStackObjects } from "./stack-objects";
import { strandedPods } from "./stranded-pods";
import { failed, probeTls } from "./tls-probe";

const notAnswered = "the API is down";

/** Result of querying the API. */
export interface Reached {
    readonly api: ApiFacts;
    readonly answers: Fact<ApiAnswers>;
    /** Still pending: nothing else waits for it. */
    readonly etcd: Promise<Fact<EtcdFacts>>;
    /** Still pending: nothing else waits for it. */
    readonly admission: Promise<ClusterFacts["admission"]>;
    /** Still pending: nothing else waits for it. */
    readonly requests: Promise<ClusterFacts["requests"]>;
    /** Still pending, like the next two. @default - the API is down */
    readonly objects: Promise<ClusterFacts["objects"]>;
    readonly ending: Promise<ClusterFacts["ending"]>;
    readonly stranded: Promise<ClusterFacts["stranded"]>;
    /** When the certificate at the API's address expires: RFC 3339. */
    readonly notAfter: Fact<string>;
}

/**
 * Queries the API at its own address, otherwise at that of a controller whose apiserver is ready.
 *
 * @param machines - queried in parallel. @default none
 */
export async function reachApi(
    server: string,
    credentials: Credentials,
    hosts: Hosts,
    machines?: Promise<Machines>,
): Promise<Reached> {
    const { hostname, port } = new URL(server);
    const { ca, servername } = credentials;
    const front = probeTls({ host: hostname, port: Number(port || 443), ca, servername, path: "/readyz" });
    const clock = front.then((probe) => probe.clock && Math.round((Date.now() - probe.clock) / 1000));
    const ask = (url: string) => askAt(url, credentials, clock);
    const atFront = ask(server);
    const { serving, notAfter } = await front;
    // Do not wait for the API's address if another apiserver answers.
    const second = ifKnown(serving)?.isReady ? undefined : await hosts.ready();
    const url = second ? `https://${second.address}:${ports.kubeApiserver}` : server;
    const asked = second ? ask(url) : atFront;
    const answers = await asked.answers;
    if (second || "unknown" in answers) atFront.stop();
    const api = {
        url: server,
        serving,
        clockAheadSeconds: await clock,
        answeredBy: "value" in answers ? (second?.name ?? "the API's own address") : undefined,
    };
    if ("unknown" in answers) {
        asked.stop();
        const nothing = Promise.resolve(unknown<never>(notAnswered));
        const none = Promise.resolve(undefined);
        const unread = { objects: none, ending: none, stranded: none };
        return { api, answers, etcd: nothing, admission: nothing, requests: nothing, ...unread, notAfter };
    }
    const { admission, requests, objects, ending, stranded } = asked;
    const more = { admission, requests, objects, ending, stranded };
    return { api, answers, etcd: etcdAt(url, credentials, answers.value, machines), ...more, notAfter };
}

interface Asked extends Pick<Reached, "admission" | "requests" | "objects" | "ending" | "stranded"> {
    readonly answers: Promise<Fact<ApiAnswers>>;
    /** Ends whatever is still pending. */
    stop(): void;
}

/** Everything at once, over the same connections: each costs both sides a TLS handshake. */
function askAt(url: string, credentials: Credentials, clock: Promise<number | undefined>): Asked {
    const client = apiClient(url, credentials);
    const read = readApi(client);
    const since = Promise.all([read, clock]).then(([{ pods }, ahead = 0]) => ({
        pods,
        now: Date.now() - 1000 * ahead,
    }));
    const answers = factOf(read, whyNot);
    // With dry runs: only they show what a webhook or policy does.
    const admission = factOf(observeAdmission(client, TRIAL_MS).then(admissionProblems));
    const requests = factOf(waitingRequests(client, since));
    const objects = factOf(readStackObjects(client));
    const ending = factOf(
        endingNamespaces(
            client,
            since.then(({ now }) => now),
        ),
    );
    const stranded = factOf(
        strandedPods(
            client,
            read.then(({ nodes }) => nodes.map(({ metadata }) => metadata.name)),
        ),
    );
    const stop = () => client.reconnect();
    void Promise.all([answers, admission, requests, objects, ending, stranded]).then(stop);
    return { answers, admission, requests, objects, ending, stranded, stop };
}

/** Timeout of a dry run in milliseconds. */
const TRIAL_MS = 3_000;

function factOf<T>(asked: Promise<T>, why = describeError): Promise<Fact<T>> {
    return asked.then(known, (error) => unknown<T>(why(error)));
}

async function etcdAt(
    url: string,
    credentials: Credentials,
    { pods }: ApiAnswers,
    machines: Promise<Machines> | undefined,
): Promise<Fact<EtcdFacts>> {
    const [pod, ...others] = etcdPods(pods);
    if (pod === undefined) {
        return unknown("no etcd pod runs in kube-system");
    }
    const reported = machines && (await agreedReports(machines));
    if (reported) {
        return known(withReadiness(reported, [pod, ...others]));
    }
    try {
        return known(await askEtcd(etcdctl(url, credentials), [pod, ...others]));
    } catch (error) {
        return unknown(describeError(error));
    }
}

/** Refusals as the API words them; connection errors in our words. */
function whyNot(error: unknown): string {
    const { code } = error as NodeJS.ErrnoException;
    const message = describeError(error);
    if (typeof code !== "string") {
        return message;
    }
    const fact = failed({ code, message });
    return "value" in fact ? fact.value.detail : fact.unknown;
}

/** Milliseconds to wait for etcd reports of the machines after the API has answered. */
const SOON_MS = 1_000;

/**
 * Uses the etcd reports of the machines if they soon cover every member and all agree, because each query through the API
 * costs a machine a process. A member that is cut off still reports its own state on its machine, so if members
 * disagree, they are queried over the network that clients use.
 */
export async function agreedReports(
    machines: Promise<Pick<Machines, "etcd">>,
    milliseconds = SOON_MS,
): Promise<EtcdFacts | undefined> {
    const reported = await Promise.race([
        machines.then(({ etcd }) => etcd),
        sleep(milliseconds, undefined, { ref: false }),
    ]);
    return isWhole(reported) ? reported.value : undefined;
}

function isWhole(reported: Fact<EtcdFacts> | undefined): reported is { readonly value: EtcdFacts } {
    if (reported === undefined || "unknown" in reported) {
        return false;
    }
    const leaders = reported.value.members.map(({ status }) => ifKnown(status)?.leader);
    return !leaders.includes(undefined) && new Set(leaders).size === 1;
}
