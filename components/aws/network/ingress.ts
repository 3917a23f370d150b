import type { Cluster } from "../../../cluster/model";
import { type Ingress, requireIngress } from "../../../cluster/network/ingress";
import { invalid } from "../../../cluster/validate";
import type { AwsIngressOptions } from "../options";

export interface AwsIngress extends Ingress {
    readonly proxyProtocol: boolean;
}

/** Throws `ingress... must be <legal> (got <value>)`. */
export function requireAwsIngress(options: AwsIngressOptions, cluster: Cluster): AwsIngress {
    const { proxyProtocol = false } = options;
    const ingress = requireIngress(options, cluster);
    const { http, https, healthCheck } = ingress;
    // Source: "Target groups for your Network Load Balancers", health check connections.
    if (proxyProtocol && healthCheck && ![http, https].includes(healthCheck.port)) {
        throw invalid(
            "ingress.healthCheck.port",
            `${http} or ${https} with proxyProtocol, because health checks send its header too`,
            healthCheck.port,
        );
    }
    return { ...ingress, proxyProtocol };
}
