import type { JwtOptions, UserValidationRuleOptions } from "../../authentication/options";
import { ownPrefix } from "../../control-plane-files";

/** Name of the configuration with issuers among kube-apiserver's files, which a preview shows. */
export const authenticationFile: string = `${ownPrefix}authentication.json`;

/** Anonymous requests that are allowed: the health endpoints for load balancers and probes. */
export function authenticationConfig(jwt: readonly JwtOptions[] = []): object {
    const paths = ["/livez", "/readyz", "/healthz"];
    return {
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "AuthenticationConfiguration",
        ...(jwt.length > 0 && { jwt: jwt.map(guarded) }),
        anonymous: { enabled: true, conditions: paths.map((path) => ({ path })) },
    };
}

/** No issuer may name a user or group that has permissions without a binding made for it. */
const reserved: readonly UserValidationRuleOptions[] = [
    {
        expression:
            "!user.username.startsWith('system:') && !user.username.startsWith('tradewind:')" +
            " && user.username != 'kube-apiserver-kubelet-client'",
        message: "the username is reserved for the cluster",
    },
    {
        expression: "user.groups.all(group, !group.startsWith('system:') && !group.startsWith('tradewind:'))",
        message: "groups that start with system: or tradewind: are reserved for the cluster",
    },
];

function guarded(jwt: JwtOptions): JwtOptions {
    const own = jwt.userValidationRules ?? [];
    // kube-apiserver refuses an expression that is repeated.
    const missing = reserved.filter(({ expression }) => own.every((rule) => rule.expression !== expression));
    return { ...jwt, userValidationRules: [...own, ...missing] };
}
