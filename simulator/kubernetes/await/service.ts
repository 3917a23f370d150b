import { at, type KubernetesObject, listAt } from "../object";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** Ready when it leads to some pod, and has an address where it asked for one. */
export const service: Rule = {
    timeout: TEN_MINUTES,
    async check(object, { list }) {
        const isBalanced = at(object, "spec", "type") === "LoadBalancer";
        if (needsPods(object)) {
            const selector = `kubernetes.io/service-name=${object.metadata?.name}`;
            const slices = await list("discovery.k8s.io/v1", "EndpointSlice", selector);
            if (!slices.some((slice) => listAt(slice, "endpoints").length)) {
                return waiting(
                    "[1/3] Finding Pods to direct traffic to",
                    "Service does not target any Pods. Selected Pods may not be ready, or field '.spec.selector' may not match labels on any Pods",
                );
            }
        }
        if (isBalanced && !listAt(object, "status", "loadBalancer", "ingress").length) {
            return waiting(
                "[2/3] Attempting to allocate IP address to Service",
                "Service was not allocated an IP address; does your cloud provider support this?",
            );
        }
        return ready("Service initialization complete");
    },
};

function needsPods(object: KubernetesObject): boolean {
    const isHeadless = at(object, "spec", "clusterIP") === "None";
    const selector = at(object, "spec", "selector") ?? {};
    return at(object, "spec", "type") !== "ExternalName" && !isHeadless && Object.keys(selector).length > 0;
}
