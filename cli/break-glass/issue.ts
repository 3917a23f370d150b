import { administrators } from "../../agents/boot/receiver/assets";
import { name as distinguishedName } from "../../clients/x509/extensions";
import { issue, parseIssuer } from "../../clients/x509/issue";
import { generateKey, parseKey, publicKeyInfo } from "../../clients/x509/keys";
import type { Credentials } from "../../cluster/keys/credentials";
import { kubeconfig } from "../../cluster/kubeconfig";

/** The user in audit logs. */
const user = "break-glass";

const hour = 3_600_000;
/** How far clocks of controllers may be behind. Unit: milliseconds. */
const skew = 300_000;

/**
 * A kubeconfig of `system:masters`, which no change of RBAC affects, with a certificate of its own.
 *
 * @param server - URL of the API
 */
export function breakGlassKubeconfig(
    cluster: string,
    server: string,
    { kubernetesCa, kubernetesIssuer = kubernetesCa.cert }: Pick<Credentials, "kubernetesCa" | "kubernetesIssuer">,
    hours: number,
    now = Date.now(),
): { readonly text: string; readonly end: Date } {
    const key = generateKey("ECDSA", { curve: "P256", rsaBits: 0 });
    const end = new Date(now + hours * hour);
    const template = {
        subject: distinguishedName({ commonName: user, organization: administrators }),
        publicKey: publicKeyInfo(key),
        allowedUses: ["digital_signature", "client_auth"],
        isCa: false,
        setSubjectKeyId: false,
        notBefore: new Date(now - skew),
        notAfter: end,
    };
    const issuer = {
        ...parseIssuer(kubernetesIssuer, "kubernetesIssuer"),
        key: parseKey(kubernetesCa.key, "kubernetesCa"),
    };
    const credentials = {
        cert: issue(template, issuer).pem,
        key: key.export({ type: "pkcs8", format: "pem" }) as string,
    };
    const entry = `${cluster}-${user}`;
    const names = { cluster, user: entry, context: entry };
    return { text: kubeconfig({ ...names, server, ca: kubernetesCa.cert, credentials }), end };
}
