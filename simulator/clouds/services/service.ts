/** A request of a machine. */
export interface Asked {
    readonly method: string;
    /** In lower case, without a port. */
    readonly host: string;
    /** As sent: with its escapes, without the query. */
    readonly path: string;
    /** As sent, without the question mark. */
    readonly query: string;
    /** Names in lower case. */
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Buffer;
}

export interface Answer {
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    /** @default nothing */
    readonly body?: string | Buffer;
}

/** The client. */
export interface Asker {
    /** Name of its machines' network. */
    readonly network: string;
    readonly address: string;
}

/** The signer of an API request. */
export interface Caller {
    /** Name of the role, or id of an access key. */
    readonly role: string;
    /** Id of the instance that has the role's credentials. */
    readonly instance?: string;
}

/** Why an API request has no valid signature. */
export interface Unsigned {
    /** The service's code: `SignatureDoesNotMatch`. Undefined if the request has no signature. */
    readonly problem?: string;
}

export interface Who extends Asker {
    readonly caller: Caller | Unsigned;
}

/** An API of a cloud under some names. */
export interface Api<Account> {
    /** Whole host names. */
    readonly hosts: RegExp;
    readonly answer: (account: Account, asked: Asked, who: Who) => Answer | Promise<Answer>;
}

/** A cloud as its machines see it, and its background work. */
export interface CloudServices<Account> {
    readonly account: (path: string) => Account;
    /** Names of the networks it serves; it ends when there are none. */
    readonly networks: (account: Account) => readonly string[];
    readonly metadata: (account: Account, asked: Asked, asker: Asker, secret: string) => Answer;
    readonly apis: readonly Api<Account>[];
    /** Finds the signer of an API request. */
    readonly callerOf: (account: Account, asked: Asked, secret: string) => Caller | Unsigned;
    /** Background work, run every two seconds and one task at a time; errors are logged. */
    readonly work: readonly ((account: Account) => Promise<void>)[];
}

export function isCaller(caller: Caller | Unsigned): caller is Caller {
    return "role" in caller;
}
