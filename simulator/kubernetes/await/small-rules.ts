import { isDeepStrictEqual } from "node:util";
import { at, listAt, numberAt } from "../object";
import { type Rule, ready, TEN_MINUTES, waiting } from "./readiness";

/** A token is written into its Secret by a controller; all others are complete when they are made. */
export const secret: Rule = {
    timeout: 5,
    check(object) {
        const isComplete =
            object.type !== "kubernetes.io/service-account-token" || Object.keys(object.data ?? {}).length;
        return isComplete ? ready("Secret is complete") : waiting("Waiting for the token of the Secret");
    },
};

export const resourceQuota: Rule = {
    timeout: 60,
    check(object) {
        const isCounted = isDeepStrictEqual(at(object, "spec", "hard"), at(object, "status", "hard"));
        return isCounted ? ready("ResourceQuota is in force") : waiting("Waiting for ResourceQuota to be counted");
    },
};

export const replicationController: Rule = {
    timeout: TEN_MINUTES,
    check(object) {
        const wanted = Number(at(object, "spec", "replicas") ?? 1);
        const count = `${numberAt(object, "status", "availableReplicas")}/${wanted} available`;
        const isReady = numberAt(object, "status", "availableReplicas") === wanted;
        return isReady ? ready(`ReplicationController: ${count}`) : waiting(`Waiting for pods: ${count}`);
    },
};

export const ingress: Rule = {
    timeout: TEN_MINUTES,
    check(object) {
        return listAt(object, "status", "loadBalancer", "ingress").length
            ? ready("Ingress initialization complete")
            : waiting(
                  "[2/3] Waiting for update of .status.loadBalancer with hostname/IP",
                  "Ingress .status.loadBalancer field was not updated with a hostname/IP address.",
              );
    },
};
