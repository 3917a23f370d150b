import type { AwsCredentials } from "./aws-signature";
import { type Asked, ask } from "./http-ask";

/** Where every instance finds the metadata service, one hop away for who is in the network of its host: others get no answer. */
export const metadataService = "http://169.254.169.254";

const rolesPath = "/latest/meta-data/iam/security-credentials/";

/** What this instance's role may sign with for some hours, as the metadata service tells who asks with a token (IMDSv2). */
export async function instanceRole(service = metadataService): Promise<AwsCredentials> {
    const say = async (path: string, asked: Asked) => {
        const { status, text } = await ask(`${service}${path}`, asked);
        if (status !== 200) throw new Error(`the metadata service answers ${status} to ${path}`);
        return text;
    };
    const ttl = { "x-aws-ec2-metadata-token-ttl-seconds": "60" };
    const token = await say("/latest/api/token", { method: "PUT", headers: ttl });
    const headers = { "x-aws-ec2-metadata-token": token };
    const [role = ""] = (await say(rolesPath, { headers })).trim().split("\n");
    return credentialsOf(await say(`${rolesPath}${role}`, { headers }));
}

function credentialsOf(text: string): AwsCredentials {
    const { Code, AccessKeyId, SecretAccessKey, Token } = JSON.parse(text);
    if (Code !== "Success" || !AccessKeyId || !SecretAccessKey || !Token) {
        throw new Error(`the metadata service has no credentials of the instance's role: ${Code}`);
    }
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token };
}
