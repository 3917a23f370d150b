import type { Credentials } from "../../../clients/kubernetes/api-client";
import { describeError } from "../../../clients/kubernetes/api-error";
import { ports } from "../../../cluster/network/ports";
import { type CertificateFacts, type ControllerFacts, type Fact, known, type Serving, unknown } from "../facts";
import { apiClient, readVersion } from "./api";
import { probeTls, type TlsProbe } from "./tls-probe";

export interface Host {
    readonly name: string;
    readonly address: string;
    /** @default false */
    readonly isArbiter?: boolean;
}

/** What probing a controller from outside returned. */
export interface ControllerProbe {
    readonly apiserver: TlsProbe;
    readonly version: Fact<string>;
    readonly kubelet: TlsProbe;
    readonly etcd: TlsProbe;
}

/** Probes a controller's apiserver, kubelet and etcd separately. */
export async function probeController(address: string, credentials: Credentials): Promise<ControllerProbe> {
    const [apiserver, version, kubelet, etcd] = await Promise.all([
        probeTls({ host: address, port: ports.kubeApiserver, ca: credentials.ca, path: "/readyz" }),
        versionAt(address, credentials),
        probeKubelet(address),
        probeEtcd(address),
    ]);
    return { apiserver, version, kubelet, etcd };
}

export function controllerFacts(
    { name, address }: Host,
    { apiserver, version, kubelet }: ControllerProbe,
): ControllerFacts {
    return { name, address, apiserver: apiserver.serving, version, kubelet: kubelet.serving };
}

/** The certificates that a controller presents. */
export function controllerCertificates(
    { name }: Host,
    { apiserver, etcd, kubelet }: ControllerProbe,
): CertificateFacts[] {
    return [
        { name: "kube-apiserver", node: name, notAfter: apiserver.notAfter, isVerified: true },
        etcdCertificate(name, etcd),
        kubeletCertificate(name, kubelet),
    ];
}

/** Of a worker, only the kubelet's certificate is probed, and of the arbiter that of etcd. */
export async function probeWorker({ name, address, isArbiter }: Host): Promise<CertificateFacts[]> {
    const [kubelet, etcd] = await Promise.all([probeKubelet(address), isArbiter ? probeEtcd(address) : undefined]);
    return [...(etcd ? [etcdCertificate(name, etcd)] : []), kubeletCertificate(name, kubelet)];
}

function probeEtcd(host: string): Promise<TlsProbe> {
    return probeTls({ host, port: ports.etcdClient });
}

/** A kubelet answers every client, with at least a 401; any answer means it is alive. */
async function probeKubelet(host: string): Promise<TlsProbe> {
    const { serving, notAfter } = await probeTls({ host, port: ports.kubelet, path: "/healthz" });
    const isAlive = "value" in serving && /^(ready|answers 40[13])$/.test(serving.value.detail);
    return { serving: isAlive ? known<Serving>({ isReady: true, detail: "answers" }) : serving, notAfter };
}

function etcdCertificate(node: string, { notAfter }: TlsProbe): CertificateFacts {
    return { name: "etcd", node, notAfter, isVerified: true };
}

/** Self-signed by the kubelet, and not verified by the apiserver. */
function kubeletCertificate(node: string, { notAfter }: TlsProbe): CertificateFacts {
    return { name: "kubelet", node, notAfter, isVerified: false };
}

async function versionAt(address: string, credentials: Credentials): Promise<Fact<string>> {
    const api = apiClient(`https://${address}:${ports.kubeApiserver}`, credentials);
    try {
        return known(await api.closeAfter(readVersion));
    } catch (error) {
        return unknown(describeError(error));
    }
}
