import { isObject } from "../../plugins/protocol/serve";
import { listOf, type Rule, required, text } from "../shared/inputs";
import type { Simulated } from "../shared/simulated";
import type { Account } from "./account";
import { tagsAlone } from "./network";
import { tags } from "./rules";

const name = text("a name of letters, digits and +=,.@_-", /^[\w+=,.@-]{1,64}$/, required);

/** A policy's text, whose statements have all required members and at most a condition in addition. */
function policy(...members: string[]): Rule {
    return {
        legal: `a policy of version 2012-10-17 whose statements have ${members.join(", ")}`,
        isLegal: (value: unknown) => isPolicy(value, members),
        isRequired: true,
    };
}

function isPolicy(value: unknown, members: readonly string[]): boolean {
    try {
        const { Version, Statement } = JSON.parse(String(value));
        const isStatement = (each: unknown) =>
            isObject(each) &&
            members.every((member) => member in each) &&
            Object.keys(each).every((key) => [...members, "Condition"].includes(key));
        return Version === "2012-10-17" && Array.isArray(Statement) && Statement.every(isStatement);
    } catch {
        return false;
    }
}

const policyArn = text("the ARN of a policy", /^arn:aws:iam::(aws|\d{12}):policy\/[\w+=,.@/-]+$/);

export const role: Simulated<Account> = {
    inputs: {
        name,
        description: text("a description", /^.{0,1000}$/),
        assumeRolePolicy: policy("Effect", "Principal", "Action"),
        permissionsBoundary: policyArn,
        tags,
    },
    autoName: "name",
    outputs: ["arn", "createDate", "uniqueId"],
    async create(account, { name: called }) {
        if (account.resources.roles[String(called)]) {
            throw new Error(`EntityAlreadyExists: Role with name ${called} already exists`);
        }
        account.put("roles", String(called), { name: String(called) });
        return { id: String(called), outputs: { arn: account.arn("iam", `role/${called}`, true) } };
    },
    update: tagsAlone,
    async delete(account, called) {
        const users = [
            ...account.all("rolePolicies"),
            ...account.all("instanceProfiles"),
            ...account.all("attachedPolicies"),
        ];
        const user = users.find((each) => each.role === called);
        if (user) throw new Error(`DeleteConflict: Cannot delete entity, must remove ${user.name} first`);
        account.remove("roles", called);
    },
};

export const rolePolicy: Simulated<Account> = {
    inputs: {
        name,
        role: text("a role's name", /^[\w+=,.@-]{1,64}$/, required),
        policy: policy("Effect", "Action", "Resource"),
    },
    autoName: "name",
    outputs: [],
    async create(account, { name: called, role: of, policy: text }) {
        account.find("roles", of);
        const id = `${of}:${called}`;
        requireSize(account, String(of), { id, text: String(text) });
        account.put("rolePolicies", id, { name: String(called), role: String(of), policy: String(text) });
        return { id };
    },
    async update(account, id, { policy: text }) {
        const before = account.find("rolePolicies", id);
        requireSize(account, before.role, { id, text: String(text) });
        account.put("rolePolicies", id, { ...before, policy: String(text), earlier: before.policy });
        account.appear(id);
        return undefined;
    },
    async delete(account, id) {
        account.remove("rolePolicies", id);
    },
};

/** Characters of all inline policies of a role, without white space. Source: "IAM and AWS STS quotas". */
export const mostInlinePolicies = 10_240;

function requireSize(account: Account, of: string, changed: { readonly id: string; readonly text: string }): void {
    const others = Object.entries(account.resources.rolePolicies).filter(
        ([id, { role }]) => role === of && id !== changed.id,
    );
    const all = [changed.text, ...others.map(([, { policy: text }]) => text)].join("").replaceAll(/\s/g, "");
    if (all.length <= mostInlinePolicies) return;
    throw new Error(`LimitExceeded: Maximum policy size of ${mostInlinePolicies} bytes exceeded for role ${of}`);
}

/** Attaches a managed policy to a role; what the policy allows is not simulated. */
export const rolePolicyAttachment: Simulated<Account> = {
    inputs: {
        role: text("a role's name", /^[\w+=,.@-]{1,64}$/, required),
        policyArn: { ...policyArn, ...required },
    },
    outputs: [],
    async create(account, { role: of, policyArn: arn }) {
        account.find("roles", of);
        const attached = account.all("attachedPolicies").filter((each) => each.role === of);
        if (attached.length >= attachedQuota) {
            throw new Error(`LimitExceeded: Cannot exceed quota for PoliciesPerRole: ${attachedQuota}`);
        }
        const id = `${of}-${arn}`;
        account.put("attachedPolicies", id, { name: String(arn), role: String(of) });
        return { id };
    },
    async delete(account, id) {
        account.remove("attachedPolicies", id);
    },
};

/** The default quota. */
const attachedQuota = 10;

/** Whose tokens IAM trusts, at most one for each URL. */
export const openIdConnectProvider: Simulated<Account> = {
    inputs: {
        url: text("a URL with https, without a port and a query", /^https:\/\/[a-z0-9.-]+(\/[^?#]*)?$/, required),
        clientIdLists: listOf("audiences", (value: unknown) => typeof value === "string", required),
        tags,
    },
    outputs: ["arn", "thumbprintLists"],
    async create(account, { url, clientIdLists }) {
        const called = String(url).replace("https://", "");
        if (account.resources.oidcProviders[called]) {
            throw new Error(`EntityAlreadyExists: Provider with url ${url} already exists.`);
        }
        account.put("oidcProviders", called, { name: called, audiences: clientIdLists as string[] });
        const arn = account.arn("iam", `oidc-provider/${called}`, true);
        return { id: arn, outputs: { arn, thumbprintLists: [] } };
    },
    async update(account, _, { url, clientIdLists }) {
        const called = String(url).replace("https://", "");
        account.put("oidcProviders", called, { name: called, audiences: clientIdLists as string[] });
        return undefined;
    },
    async delete(account, arn) {
        account.remove("oidcProviders", arn.slice(arn.indexOf("/") + 1));
    },
};

export const instanceProfile: Simulated<Account> = {
    inputs: { name, role: text("a role's name", /^[\w+=,.@-]{1,64}$/, required), tags },
    autoName: "name",
    outputs: ["arn", "createDate", "uniqueId"],
    async create(account, { name: called, role: of }) {
        account.find("roles", of);
        account.put("instanceProfiles", String(called), { name: String(called), role: String(of) });
        return { id: String(called), outputs: { arn: account.arn("iam", `instance-profile/${called}`, true) } };
    },
    async update(account, called, { role: of }) {
        account.find("roles", of);
        account.put("instanceProfiles", called, { name: called, role: String(of) });
        return undefined;
    },
    async delete(account, called) {
        account.remove("instanceProfiles", called);
    },
};
