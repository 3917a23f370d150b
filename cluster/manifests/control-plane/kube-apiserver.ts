import { addedPlugins, admissionConfiguration, admissionFile } from "../../admission";
import { filesPath } from "../../control-plane-files";
import type { Flags } from "../../flags/check";
import { neededGates } from "../../flags/needed-gates";
import { isEncrypting } from "../../keys/encryption";
import { issuerFlags } from "../../keys/issuers";
import type { Cluster } from "../../model";
import { serviceCidrs } from "../../network/network";
import { ports } from "../../network/ports";
import { rollbackFlags } from "../../upgrades/rollback";
import { type Container, credentialsPath, fieldEnv, httpsProbe } from "../pod";
import { auditFlags } from "./audit-log";
import { authenticationFile } from "./authentication";
import { type ComponentPod, componentContainer, componentPod } from "./component-pod";
import { haproxyContainer, shutdownDelaySeconds, watchGraceSeconds } from "./haproxy";

/** An apiserver on its own loopback address behind its own HAProxy: design §4. */
export function kubeApiserverPod(cluster: Cluster, digest: string): ComponentPod {
    return componentPod(cluster, "kube-apiserver", digest, (address) => ({
        // Longer than HAProxy's hard stop, the last step of the drain.
        terminationGracePeriodSeconds: 90,
        containers: [apiserverContainer(cluster, address), haproxyContainer(cluster, address)],
    }));
}

function apiserverContainer(cluster: Cluster, address: string): Container {
    const probe = (path: string, limits: object) => httpsProbe(address, ports.kubeApiserver, path, limits);
    return componentContainer(cluster, "kube-apiserver", {
        flags: flags(cluster, address),
        env: [
            fieldEnv("NODE_IP", "status.hostIP"),
            ...(cluster.auditLog ? [fieldEnv("POD_NAME", "metadata.name")] : []),
        ],
        requests: { cpu: "200m", memory: "256Mi" },
        probes: {
            startupProbe: probe("/livez", { periodSeconds: 1, failureThreshold: 180 }),
            readinessProbe: probe("/readyz", { periodSeconds: 1, failureThreshold: 3 }),
            // Without etcd it is useless, but a restart would only delay its recovery.
            livenessProbe: probe("/livez?exclude=etcd", { periodSeconds: 10, failureThreshold: 8, timeoutSeconds: 15 }),
        },
    });
}

function flags(cluster: Cluster, address: string): Flags {
    const { network, keys, certificates, admission, auditLog, jwt, versions } = cluster;
    const gates = neededGates(versions.kubernetes);
    const file = (name: string) => `${credentialsPath}/${name}`;
    return {
        ...(admissionConfiguration(admission) && { "admission-control-config-file": `${filesPath}/${admissionFile}` }),
        "advertise-address": "$(NODE_IP)",
        "allow-privileged": "true",
        ...(auditLog && auditFlags),
        "authentication-config": jwt.length > 0 ? `${filesPath}/${authenticationFile}` : file("authentication.json"),
        "authorization-mode": "Node,RBAC",
        "bind-address": address,
        "client-ca-file": file("ca.crt"),
        "enable-admission-plugins": addedPlugins(admission).join(),
        "enable-bootstrap-token-auth": "true",
        ...(isEncrypting(keys) && { "encryption-provider-config": file("encryption.json") }),
        "etcd-cafile": file("etcd-ca.crt"),
        "etcd-certfile": file("etcd-client.crt"),
        "etcd-keyfile": file("etcd-client.key"),
        "etcd-servers": `https://127.0.0.1:${ports.etcdClient}`,
        ...(gates.length > 0 && { "feature-gates": gates.map((gate) => `${gate}=true`).join() }),
        ...(certificates.kubeletServing === "verified" && { "kubelet-certificate-authority": file("ca.crt") }),
        "kubelet-client-certificate": file("kubelet-client.crt"),
        "kubelet-client-key": file("kubelet-client.key"),
        "kubelet-preferred-address-types": "InternalIP,Hostname",
        // For recreated pods of the same template, which have the same address: `kubectl rollout restart`.
        "permit-port-sharing": "true",
        profiling: "false",
        "proxy-client-cert-file": file("front-proxy-client.crt"),
        "proxy-client-key-file": file("front-proxy-client.key"),
        "requestheader-allowed-names": "front-proxy-client",
        "requestheader-client-ca-file": file("front-proxy-ca.crt"),
        "requestheader-extra-headers-prefix": "X-Remote-Extra-",
        "requestheader-group-headers": "X-Remote-Group",
        "requestheader-username-headers": "X-Remote-User",
        ...rollbackFlags(cluster),
        "secure-port": String(ports.kubeApiserver),
        "service-account-extend-token-expiration": "false",
        ...issuerFlags(cluster),
        "service-account-key-file": file("service-account.pub"),
        "service-account-signing-key-file": file("service-account.key"),
        "service-cluster-ip-range": serviceCidrs(network),
        "shutdown-delay-duration": `${shutdownDelaySeconds}s`,
        "shutdown-watch-termination-grace-period": `${watchGraceSeconds}s`,
        "tls-cert-file": file("apiserver.crt"),
        "tls-min-version": "VersionTLS12",
        "tls-private-key-file": file("apiserver.key"),
    };
}
