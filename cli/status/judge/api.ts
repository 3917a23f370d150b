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

/** Seconds that clocks may differ: certificates and tokens are made and checked by them. */
const clockSeconds = 30;

export function judgeApi(facts: ClusterFacts): Finding[] {
    const { api, controllers } = facts;
    const serving = controllers.filter(({ apiserver }) => ifKnown(apiserver)?.isReady);
    if (!ifKnown(api.serving)?.isReady) {
        return serving.length > 0 ? [loadBalancerDown(api, serving), ...apiserversDown(facts)] : [apiDown(facts)];
    }
    return [...refused(facts), ...apiserversDown(facts), ...clock(api)];
}

function loadBalancerDown({ url, serving }: ApiFacts, ready: readonly ControllerFacts[]): Finding {
    const names = ready.map(({ name }) => name).join(", ");
    return critical(
        "load-balancer-down",
        `The API does not answer at its address ${url} (${say(serving)}), though the apiserver of ${names} is ready.`,
        "Look at the load balancer, or without one at the records of that name, and at the way from here: clients and workers use that address.",
    );
}

function apiDown({ api, controllers, isLocal, machines }: ClusterFacts): Finding {
    const each = controllers.map(({ name, apiserver }) => `that of ${name} (${say(apiserver)})`);
    const nor = each.length > 0 ? `, nor does ${each.join(", ")}` : "";
    const message = `The API does not answer at ${api.url} (${say(api.serving)})${nor}.`;
    const own = isLocal ? (ifKnown(machines) ?? []) : [];
    if (own.length > 0 && own.every(({ state }) => state !== "running")) {
        return critical("api-down", message, "Its machines are off: npm start brings them up again.");
    }
    const isSilent =
        "unknown" in api.serving &&
        controllers.every(({ apiserver, kubelet }) => "unknown" in apiserver && "unknown" in kubelet);
    if (isSilent) {
        const addresses =
            controllers.length === 0 ? " With --controllers ADDRESS,… the controllers are asked themselves." : "";
        return critical(
            "api-down",
            message,
            `Nothing of the cluster can be reached: see first that this computer's network and the cluster's firewall let you.${addresses}`,
        );
    }
    return critical(
        "api-down",
        message,
        "A controller that runs brings its control plane back by itself, in a minute or two. If it does not, look there: journalctl -u kubelet, and the logs in /var/log/containers.",
    );
}

/** Ready, but not for us. */
function refused({ nodes, api }: ClusterFacts): Finding[] {
    if ("value" in nodes) {
        return [];
    }
    const advice = "Check that the kubeconfig is of this cluster and that its user is an administrator.";
    return [
        critical(
            "api-refuses",
            `The API at ${api.url} is ready, but does not answer this kubeconfig: ${nodes.unknown}.`,
            advice,
        ),
    ];
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
            `This computer's clock is ${Math.abs(clockAheadSeconds)} s ${way} the API's.`,
            "One of them is wrong: tokens and certificates are made and checked by them. See timedatectl on both.",
        ),
    ];
}

function say(serving: Fact<Serving>): string {
    return "value" in serving ? serving.value.detail : serving.unknown;
}
