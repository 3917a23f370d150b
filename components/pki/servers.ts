import * as pulumi from "@pulumi/pulumi";
import { metricsProxyName, metricsServerName } from "../../cluster/keys/certificates";
import type { MetricsCredentials, MetricsServerCredentials } from "../../cluster/keys/credentials";
import { type Issued, type Issuer, type LeafOptions, pair } from "./issuer";

/** What certificates of servers in the cluster are issued with. */
export interface ServerIssuer {
    readonly issuer: Issuer;
    readonly kubernetesCa: Issued;
    readonly generation: number;
}

/** Of the proxy that serves the control plane's metrics. */
export function metricsCredentials(by: ServerIssuer): pulumi.Output<MetricsCredentials> {
    const issued = by.issuer.leaf("metrics-proxy", by.kubernetesCa, server(by, metricsProxyName));
    return pulumi.secret(pulumi.output({ metricsProxy: pair(issued) })) as pulumi.Output<MetricsCredentials>;
}

/** Of metrics-server. @param ca - PEM of all trusted Kubernetes CA certificates */
export function metricsServerCredentials(
    by: ServerIssuer,
    ca: pulumi.Output<string>,
): pulumi.Output<MetricsServerCredentials> {
    const issued = by.issuer.leaf("metrics-server", by.kubernetesCa, server(by, metricsServerName));
    const all = { kubernetesCa: { cert: ca }, metricsServer: pair(issued) };
    return pulumi.secret(pulumi.output(all)) as pulumi.Output<MetricsServerCredentials>;
}

/** A server in the cluster. @param dnsName - of its Service */
function server({ generation }: ServerIssuer, dnsName: string): LeafOptions {
    return {
        subject: { commonName: dnsName.split(".")[0]! },
        names: { dnsNames: [dnsName], ipAddresses: [] },
        uses: ["server_auth"],
        generation,
    };
}
