import type { Api } from "../../services/service";
import type { Account } from "../account";
import { noWayTo } from "../way-to-service";

/** Lets an API be asked by who finds a way to it alone. Others get nothing from AWS; here they are told at once. */
export function reached({ hosts, answer }: Api<Account>): Api<Account> {
    return {
        hosts,
        answer(account, asked, who) {
            const why = noWayTo(account, asked.host, who);
            return why === undefined ? answer(account, asked, who) : { status: 504, body: `${why}\n` };
        },
    };
}
