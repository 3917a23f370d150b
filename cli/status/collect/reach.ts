import type { Credentials } from "../../../agents/common/api-client";
import { describeError } from "../../../agents/common/api-error";
import { ports } from "../../../components/cluster/ports";
import { type Fact, ifKnown, known, unknown } from "../fact";
import type { ApiFacts, ClusterFacts, EtcdFacts } from "../facts";
import { readAdmission } from "./admission";
import { type ApiAnswers, apiClient, readApi } from "./api";
import { askEtcd, withReadiness } from "./etcd-by-api";
import { etcdPods } from "./etcd-pods";
import { wholeSoon } from "./etcd-told";
import { etcdctl } from "./etcdctl";
import type { Hosts } from "./hosts";
import { failed, knock } from "./knock";
import type { Machines } from "./machines";

const notAnswered = "only the API could tell, and it does not answer";

/** What came of asking the API. */
export interface Reached {
    readonly api: ApiFacts;
    readonly answers: Fact<ApiAnswers>;
    /** Not there yet: nothing else waits for it. */
    readonly etcd: Promise<Fact<EtcdFacts>>;
    /** Not there yet: nothing else waits for it. */
    readonly admission: Promise<ClusterFacts["admission"]>;
    /** When the certificate at the API's address ends: RFC 3339. */
    readonly notAfter: Fact<string>;
}

/**
 * Asks the API at its own address, else at that of a controller whose apiserver is ready.
 *
 * @param machines - are asked beside it. @default none
 */
export async function reachApi(
    server: string,
    credentials: Credentials,
    hosts: Hosts,
    machines?: Promise<Machines>,
): Promise<Reached> {
    const { hostname, port } = new URL(server);
    const { ca, servername } = credentials;
    const asked = readAt(server, credentials);
    const front = await knock({ host: hostname, port: Number(port || 443), ca, servername, path: "/readyz" });
    // No need to wait for what will not come, if there is somebody else to ask.
    const second = ifKnown(front.serving)?.isReady ? undefined : await hosts.ready();
    const url = second ? `https://${second.address}:${ports.kubeApiserver}` : server;
    const answers = await (second ? readAt(url, credentials) : asked);
    const answeredBy = "value" in answers ? (second?.name ?? "the API's own address") : undefined;
    const clockAheadSeconds = front.clock && Math.round((Date.now() - front.clock) / 1000);
    return {
        api: { url: server, serving: front.serving, clockAheadSeconds, answeredBy },
        answers,
        etcd:
            "value" in answers
                ? etcdAt(url, credentials, answers.value, machines)
                : Promise.resolve(unknown(notAnswered)),
        admission: "value" in answers ? readAdmission(url, credentials) : Promise.resolve(unknown(notAnswered)),
        notAfter: front.notAfter,
    };
}

async function readAt(url: string, credentials: Credentials): Promise<Fact<ApiAnswers>> {
    const api = apiClient(url, credentials);
    try {
        return known(await readApi(api));
    } catch (error) {
        return unknown(whyNot(error));
    } finally {
        api.reconnect();
    }
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
    const told = machines && (await wholeSoon(machines));
    if (told) {
        return known(withReadiness(told, [pod, ...others]));
    }
    try {
        return known(await askEtcd(etcdctl(url, credentials), [pod, ...others]));
    } catch (error) {
        return unknown(describeError(error));
    }
}

/** A refusal of the API in its own words; a connection that failed in ours. */
function whyNot(error: unknown): string {
    const { code } = error as NodeJS.ErrnoException;
    const message = describeError(error);
    if (typeof code !== "string") {
        return message;
    }
    const fact = failed({ code, message });
    return "value" in fact ? fact.value.detail : fact.unknown;
}
