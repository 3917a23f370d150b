import type { Cluster } from "./model";
import { ports } from "./network/ports";

/** URL of the API by the name that resolves to the load balancer or to all controllers. */
export function clusterApiServer({ apiName }: Cluster): string {
    return `https://${apiName}:${ports.kubeApiserver}`;
}

/** URL of the API on the machine itself, which needs neither load balancer nor DNS. */
export const localApiServer = `https://127.0.0.1:${ports.kubeApiserver}`;
