import { ports } from "../../../cluster/network/ports";
import { invalid, requireOneOf } from "../../../cluster/validate";

/** How a load balancer finds out whether a controller serves the API. */
export type ApiHealthCheck = "https" | "tcp";

/**
 * Cipher suites of TLS 1.2 for the cluster's ECDSA certificates that AWS' load balancers use towards targets. Source:
 * the security policy ELBSecurityPolicy-2016-08. AWS does not publish those of health checks.
 */
const suites = ["128_GCM_SHA256", "256_GCM_SHA384", "128_CBC_SHA", "256_CBC_SHA"].map(
    (end) => `TLS_ECDHE_ECDSA_WITH_AES_${end}`,
);

/**
 * Refuses flags of kube-apiserver that the health check cannot speak: all controllers would be unhealthy, and a load
 * balancer without a healthy target sends connections to all of them, also to those that are down.
 *
 * Source: "Health checks for Network Load Balancer target groups": targets that support only TLS 1.3 fail HTTPS checks.
 */
export function requireApiHealthCheck(
    option: string | undefined,
    flags: Readonly<Record<string, string>> = {},
): ApiHealthCheck {
    const check = requireOneOf("apiHealthCheck", ["https", "tcp"] as const, option ?? "https");
    if (check === "tcp") return check;
    const { "tls-min-version": version, "tls-cipher-suites": list = "" } = flags;
    const why = "AWS' HTTPS health checks have TLS 1.2 at most";
    if (version === "VersionTLS13") {
        const legal = `VersionTLS12 with apiHealthCheck https, because ${why}; or set apiHealthCheck to tcp`;
        throw invalid("components.kubeApiserver.tls-min-version", legal, version);
    }
    const chosen = list.split(",").map((each) => each.trim());
    if (list.trim() !== "" && !suites.some((each) => chosen.includes(each))) {
        const legal = `a list with one of ${suites.join(", ")} with apiHealthCheck https, because ${why}; or set apiHealthCheck to tcp`;
        throw invalid("components.kubeApiserver.tls-cipher-suites", legal, list);
    }
    return check;
}

/**
 * The shortest times allowed: a controller that stops gets no new connections after 10 seconds.
 *
 * With TCP, only whether the port is open, which each generation of kube-apiserver opens once it is ready.
 */
export function apiHealthCheck(check: ApiHealthCheck) {
    const times = {
        interval: 5,
        // AWS requires less than the interval.
        timeout: 4,
        healthyThreshold: 2,
        unhealthyThreshold: 2,
    };
    const port = String(ports.kubeApiserver);
    return check === "https"
        ? { protocol: "HTTPS", port, path: "/readyz", matcher: "200", ...times }
        : // Explicitly empty: those of a former HTTPS check would stay, and the provider refuses them with TCP.
          { protocol: "TCP", port, path: "", matcher: "", ...times };
}
