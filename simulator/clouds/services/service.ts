/** What a machine asks. */
export interface Asked {
    readonly method: string;
    /** In lower case, without a port. */
    readonly host: string;
    /** As it was sent: with its escapes, without the query. */
    readonly path: string;
    /** As it was sent, without the question mark. */
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

/** Who asks. */
export interface Asker {
    /** Name of its machines' network. */
    readonly network: string;
    readonly address: string;
}

/** Whose signature a request of an API has. */
export interface Caller {
    /** Name of the role; of a key that somebody was given, its id. */
    readonly role: string;
    /** Id of the instance that has the role's credentials. */
    readonly instance?: string;
}

/** Why a request of an API has nobody's signature. */
export interface Unsigned {
    /** In the service's words: `SignatureDoesNotMatch`. None if it does not say that it is signed. */
    readonly problem?: string;
}

export interface Who extends Asker {
    readonly caller: Caller | Unsigned;
}

/** What a cloud is asked under some names. */
export interface Api<Account> {
    /** Whole host names. */
    readonly hosts: RegExp;
    readonly answer: (account: Account, asked: Asked, who: Who) => Answer | Promise<Answer>;
}

/** A cloud as the machines in it see it, and what it does by itself. */
export interface CloudServices<Account> {
    readonly account: (path: string) => Account;
    /** Names of the networks that it is there for; without any it ends. */
    readonly networks: (account: Account) => readonly string[];
    readonly metadata: (account: Account, asked: Asked, asker: Asker, secret: string) => Answer;
    readonly apis: readonly Api<Account>[];
    /** Who signed a request of an API. */
    readonly callerOf: (account: Account, asked: Asked, secret: string) => Caller | Unsigned;
    /** What runs every two seconds, one after the other; an error is logged. */
    readonly work: readonly ((account: Account) => Promise<void>)[];
}

export function isCaller(caller: Caller | Unsigned): caller is Caller {
    return "role" in caller;
}
