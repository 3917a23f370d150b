import { isObject } from "./differences";
import { readNodeConfig } from "./node-config";
import { isSecret } from "./plain";
import { unfolded } from "./unfolded";

/** A shorter one would be found where it is none. */
const shortest = 8;

/**
 * Every secret text in plans and states that have them in plain text, but machines' configs themselves.
 *
 * What stands elsewhere in plain text is none: an address, say, that is also in a record which is secret as a whole.
 */
export function knownSecrets(from: unknown): string[] {
    const secrets = new Set<string>();
    const shown: string[] = [];
    const collect = (value: unknown, isWithin: boolean): void => {
        const isHidden = isWithin || isSecret(value);
        const inner = opened(value);
        if (Array.isArray(inner)) for (const each of inner) collect(each, isHidden);
        else if (isObject(inner)) for (const each of Object.values(inner)) collect(each, isHidden);
        else if (typeof inner !== "string") return;
        else if (!isHidden) shown.push(inner);
        else if (!readNodeConfig(inner)) {
            const parsed = unfolded(inner);
            if (isObject(parsed)) collect(parsed, true);
            for (const form of formsOf(inner)) if (form.length >= shortest) secrets.add(form);
        }
    };
    collect(from, false);
    const plainText = shown.join("\n");
    // The longest first: a part of it would leave the rest.
    return [...secrets].filter((secret) => !plainText.includes(secret)).sort((a, b) => b.length - a.length);
}

/** What is in the envelope of a secret. */
export function opened(value: unknown): unknown {
    return isSecret(value) && value.plaintext !== undefined ? JSON.parse(value.plaintext) : value;
}

/** In the cluster a secret is base64; on a machine it is what that says. */
function formsOf(secret: string): string[] {
    const [encoded, decoded] = [Buffer.from(secret).toString("base64"), Buffer.from(secret, "base64").toString()];
    // What is no base64 decodes to no text.
    return [secret, encoded, ...(decoded.includes("\ufffd") ? [] : [decoded])].map((form) => form.trim());
}
