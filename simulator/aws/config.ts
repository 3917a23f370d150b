import { createHash } from "node:crypto";
import type { Account, InstanceSpec } from "./account";

/** A statement of a role's policy, as far as it is simulated. */
interface Statement {
    readonly Effect: string;
    readonly Action: string | readonly string[];
    readonly Resource: string | readonly string[];
    /** None is looked at: what is allowed on a condition is not allowed. */
    readonly Condition?: object;
}

/**
 * What an instance boots from: the user-data, in which the config that it points to stands for the pointer.
 *
 * Ignition would fetch it, and what it points to, as the instance's role. Here it is looked up as that role may.
 */
export function configOf(account: Account, { userData, profile }: InstanceSpec): string {
    const pointer = JSON.parse(userData);
    const { source, verification } = pointer.ignition?.config?.replace ?? {};
    if (!s3Url.test(source ?? "")) return userData;
    const read = (url: string) => readUrl(account, profile, url);
    const content = read(source);
    if (verification.hash !== sha512(content)) throw new Error(`${source} does not have the hash ${verification.hash}`);
    const config = withFilesOf(content, read);
    const replace = { source: dataUrl(config), verification: { hash: sha512(config) } };
    return JSON.stringify({ ...pointer, ignition: { ...pointer.ignition, config: { replace } } });
}

/** A config with the contents of files that lie in buckets; the same text if there are none. */
function withFilesOf(text: string, read: (url: string) => string): string {
    const config = JSON.parse(text);
    const files: { contents?: { source?: string } }[] = config.storage?.files ?? [];
    const isInBucket = ({ contents }: (typeof files)[number]) => s3Url.test(contents?.source ?? "");
    if (!files.some(isInBucket)) return text;
    const whole = files.map((file) =>
        isInBucket(file) ? { ...file, contents: { source: dataUrl(read(file.contents!.source!)) } } : file,
    );
    return JSON.stringify({ ...config, storage: { ...config.storage, files: whole } });
}

const s3Url = /^s3:\/\/([^/]+)\/(.+)$/;
const sha512 = (text: string) => `sha512-${createHash("sha512").update(text).digest("hex")}`;
const dataUrl = (text: string) => `data:;base64,${Buffer.from(text).toString("base64")}`;

function readUrl(account: Account, profile: string | undefined, url: string): string {
    const [, bucket, key] = s3Url.exec(url)!;
    return readObject(account, profile, bucket!, key!);
}

/** An object, read as an instance's role. */
export function readObject(account: Account, profile: string | undefined, bucket: string, key: string): string {
    const { instanceProfiles, rolePolicies, objects } = account.resources;
    const role = profile === undefined ? undefined : instanceProfiles[profile]?.role;
    const statements = Object.values(rolePolicies)
        .filter((each) => each.role === role)
        .flatMap(({ policy }): Statement[] => JSON.parse(policy).Statement);
    if (!statements.some((each) => allows(each, "s3:GetObject", `arn:aws:s3:::${bucket}/${key}`))) {
        throw new Error(`AccessDenied: the role ${role} may not s3:GetObject ${key} of ${bucket}`);
    }
    const found = objects[`${bucket}/${key}`];
    if (!found) throw new Error(`NoSuchKey: The specified key does not exist: ${key} of ${bucket}`);
    return found.content;
}

function allows({ Effect, Action, Resource, Condition }: Statement, action: string, resource: string): boolean {
    const isIt = (pattern: string) => {
        const [beginning, end] = pattern.split("*");
        return end === undefined ? resource === pattern : resource.startsWith(beginning!) && resource.endsWith(end);
    };
    return Effect === "Allow" && !Condition && [Action].flat().includes(action) && [Resource].flat().some(isIt);
}
