/** Label of every Docker object that we create. */
export const OURS = "dev.tradewind";
export const CLUSTER = "dev.tradewind.cluster";
export const ROLE = "dev.tradewind.role";
export const MACHINE = "dev.tradewind.machine";
export const DOMAIN = "dev.tradewind.domain";

/** Role of a container: a node of the cluster, its DNS and mirror, or its API load balancer. */
export type Role = "machine" | "infra" | "load-balancer";

/** The cluster's Docker network. */
export function networkName(cluster: string): string {
    return `tradewind-${cluster}`;
}

/** The container of a machine, or of one of the cluster's services. */
export function containerName(cluster: string, name: string): string {
    return `tradewind-${cluster}-${name}`;
}

/** Names of the service containers: they contain a dot, so no machine can have them. */
export const INFRA = "infra.service";
export const LOAD_BALANCER = "api.service";

/** `docker create` options that mark an object as part of the cluster. */
export function labels(cluster: string, role?: Role): string[] {
    const all = [`${OURS}=1`, `${CLUSTER}=${cluster}`, ...(role ? [`${ROLE}=${role}`] : [])];
    return all.flatMap((label) => ["--label", label]);
}

/** `docker ls` filters that select the objects of one cluster, or of all clusters. */
export function filters(cluster?: string, role?: Role): string[] {
    return marks(cluster, role).flatMap((label) => ["--filter", `label=${label}`]);
}

/** The labels of those objects. */
export function marks(cluster?: string, role?: Role): string[] {
    return [`${OURS}=1`, ...(cluster ? [`${CLUSTER}=${cluster}`] : []), ...(role ? [`${ROLE}=${role}`] : [])];
}

/** MAC address of a machine in a simulated cloud, derived from its IPv4 address. */
export function macAddress(address: string): string {
    const bytes = address.split(".").map((each) => Number(each).toString(16).padStart(2, "0"));
    return ["02", "42", ...bytes].join(":");
}

/** The nth address of a subnet whose host part is one byte. */
export function hostAddress(subnet: string, host: number): string {
    return subnet.replace(/\.\d+\/\d+$/, `.${host}`);
}
