import {
    type ApiFacts,
    type ClusterFacts,
    type ControllerFacts,
    critical,
    type Fact,
    type Finding,
    ifKnown,
    type Serving,
    warning,
} from "../facts";
import { recoveryFromEtcd } from "./remedies";

/** Tolerated clock difference in seconds: tokens and certificates depend on clocks. */
const clockSeconds = 30;

export function judgeApi(facts: ClusterFacts): Finding[] {
    const { api, controllers } = facts;
    const serving = controllers.filter(({ apiserver }) => ifKnown(apiserver)?.isReady);
    if (isRefusal(api)) {
        return [...forbidden(facts), ...clock(api)];
    }
    if (!ifKnown(api.serving)?.isReady) {
        return serving.length > 0 ? [loadBalancerDown(api, serving), ...apiserversDown(facts)] : [apiDown(facts)];
    }
    return [...unlisted(facts), ...apiserversDown(facts), ...clock(api)];
}

function loadBalancerDown({ url, serving }: ApiFacts, ready: readonly ControllerFacts[]): Finding {
    const names = ready.map(({ name }) => name).join(", ");
    return critical(
        "load-balancer-down",
        `The API does not answer at its address ${url} (${say(serving)}), but the apiserver of ${names} is ready.`,
        `Clients and workers use this address: check the load balancer (or the DNS records, if there is none) and the network from here: curl -k ${url}/readyz`,
    );
}

function apiDown(facts: ClusterFacts): Finding {
    const { api, controllers, isLocal, machines } = facts;
    const each = controllers.map(({ name, apiserver }) => `${name} (${say(apiserver)})`);
    const nor = each.length > 0 ? `, nor on ${each.join(", ")}` : "";
    const message = `The API does not answer at ${api.url} (${say(api.serving)})${nor}.`;
    const own = isLocal ? (ifKnown(machines) ?? []) : [];
    if (own.length > 0 && own.every(({ state }) => state !== "running")) {
        return critical("api-down", message, "Its machines are off: start them with npm start.");
    }
    const isSilent =
        "unknown" in api.serving &&
        controllers.every(({ apiserver, kubelet }) => "unknown" in apiserver && "unknown" in kubelet);
    if (isSilent) {
        const addresses =
            controllers.length === 0
                ? " To query the controllers directly: tradewind status --controllers ADDRESS,…"
                : "";
        return critical(
            "api-down",
            message,
            `Nothing in the cluster can be reached: first check your network and the cluster's firewall: curl -k ${api.url}/readyz.${addresses}`,
        );
    }
    const recovery = recoveryFromEtcd(facts);
    if (recovery) {
        const cause = `${message} The control plane is lost: no controller runs it or has a checkpoint of it; etcd runs.`;
        return critical("api-down", cause, recovery);
    }
    return critical(
        "api-down",
        message,
        "A running controller restarts its control plane by itself within a minute or two. If it does not, check journalctl -u kubelet and /var/log/containers on it.",
    );
}

/** Whether the API answers that this is not allowed: a proof that it runs. */
function isRefusal({ serving }: ApiFacts): boolean {
    return /^answers 40[13]$/.test(ifKnown(serving)?.detail ?? "");
}

const restore =
    "If it is this cluster's administrator's, permissions are missing in the cluster. pulumi up --refresh restores those of the stack. If it is refused, use tradewind break-glass --to FILE, and with that kubeconfig kubectl -n kube-system rollout restart daemonset kube-apiserver, which restores Kubernetes' own.";

/** Health requests, which need no permission by default, are refused. */
function forbidden({ nodes, api }: ClusterFacts): Finding[] {
    const own = "unknown" in nodes ? ` and ${failure(nodes.unknown)}` : "";
    const message = `The API at ${api.url} runs, but ${say(api.serving)} to health requests${own}.`;
    return [critical("api-refuses", message, restore)];
}

/** The API is ready, but does not list Nodes. */
function unlisted({ nodes, api }: ClusterFacts): Finding[] {
    if ("value" in nodes) return [];
    const message = `The API at ${api.url} is ready but ${failure(nodes.unknown)}.`;
    if (!rejectsKubeconfig(nodes.unknown)) {
        const advice =
            "Run the command again: an API or etcd that is overloaded or starting recovers. If it does not, see kubectl -n kube-system logs -l k8s-app=kube-apiserver.";
        return [critical("api-fails", message, advice)];
    }
    const advice = /^403\b/.test(nodes.unknown)
        ? restore
        : "Check that the kubeconfig belongs to this cluster and that its user is an administrator: kubectl auth whoami";
    return [critical("api-refuses", message, advice)];
}

/** Whether an error is about who asks: not allowed, unknown, or of another cluster, whose certificate differs. */
function rejectsKubeconfig(why: string): boolean {
    return /^40[13]\b|certificate|altname/i.test(why);
}

function failure(why: string): string {
    const verb = rejectsKubeconfig(why) ? "refuses this kubeconfig" : "does not list Nodes";
    return `${verb}: ${why.replace(/\.$/, "")}`;
}

function apiserversDown({ controllers }: ClusterFacts): Finding[] {
    return controllers
        .filter(({ apiserver }) => ifKnown(apiserver)?.isReady === false)
        .map(({ name, address, apiserver }) =>
            critical(
                "apiserver-down",
                `The kube-apiserver of ${name} (${address}) is not ready: ${say(apiserver)}.`,
                "kubectl -n kube-system describe pods -l k8s-app=kube-apiserver",
            ),
        );
}

function clock({ clockAheadSeconds = 0 }: ApiFacts): Finding[] {
    if (Math.abs(clockAheadSeconds) <= clockSeconds) {
        return [];
    }
    const way = clockAheadSeconds > 0 ? "ahead of" : "behind";
    return [
        warning(
            "clock-differs",
            `The local clock is ${Math.abs(clockAheadSeconds)} s ${way} the API's.`,
            "One of the clocks is wrong, which breaks tokens and certificates. Check timedatectl on both machines.",
        ),
    ];
}

function say(serving: Fact<Serving>): string {
    return "value" in serving ? serving.value.detail : serving.unknown;
}
