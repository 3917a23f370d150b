import type { Account, InstanceSpec } from "./account";

/** A statement of a role's policy, as far as it is simulated. */
interface Statement {
    readonly Effect: string;
    readonly Action: string;
    readonly Resource: string;
}

/**
 * What an instance boots from: the user-data, in which the config that it points to stands for the pointer.
 *
 * Ignition would fetch it as the instance's role. Here it is looked up as that role may, and Ignition compares its hash.
 */
export function configOf(account: Account, { userData, profile }: InstanceSpec): string {
    const config = JSON.parse(userData);
    const { source } = config.ignition?.config?.replace ?? {};
    const [, bucket, key] = /^s3:\/\/([^/]+)\/(.+)$/.exec(source ?? "") ?? [];
    if (bucket === undefined || key === undefined) return userData;
    const content = readObject(account, profile, bucket, key);
    const data = `data:;base64,${Buffer.from(content).toString("base64")}`;
    const replace = { ...config.ignition.config.replace, source: data };
    return JSON.stringify({ ...config, ignition: { ...config.ignition, config: { replace } } });
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

function allows({ Effect, Action, Resource }: Statement, action: string, resource: string): boolean {
    const [beginning, end] = Resource.split("*");
    const isIt = end === undefined ? resource === Resource : resource.startsWith(beginning!) && resource.endsWith(end);
    return Effect === "Allow" && Action === action && isIt;
}
