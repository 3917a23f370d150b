import { askMetadata } from "./aws-metadata";
import type { AwsCredentials } from "./aws-signature";

const rolesPath = "/latest/meta-data/iam/security-credentials/";

/** What this instance's role may sign with for some hours. */
export async function instanceRole(service?: string): Promise<AwsCredentials> {
    const metadata = await askMetadata(service);
    const [role = ""] = (await metadata(rolesPath)).trim().split("\n");
    return credentialsOf(await metadata(`${rolesPath}${role}`));
}

/** AWS has other ones five minutes before those end that it gave. Source: "Retrieve security credentials from instance metadata". */
const keptMilliseconds = 240_000;

/** What this instance's role may sign with, asked again after some minutes. */
export function keptRole(
    ask: () => Promise<AwsCredentials> = instanceRole,
    now: () => number = () => performance.now(),
): () => Promise<AwsCredentials> {
    let kept: { readonly credentials: AwsCredentials; readonly at: number } | undefined;
    return async () => {
        if (kept === undefined || now() - kept.at >= keptMilliseconds) kept = { at: now(), credentials: await ask() };
        return kept.credentials;
    };
}

function credentialsOf(text: string): AwsCredentials {
    const { Code, AccessKeyId, SecretAccessKey, Token } = JSON.parse(text);
    if (Code !== "Success" || !AccessKeyId || !SecretAccessKey || !Token) {
        throw new Error(`the metadata service has no credentials of the instance's role: ${Code}`);
    }
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
}
