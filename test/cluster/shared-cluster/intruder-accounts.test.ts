import { attacksWithAccount } from "../intruder/with-an-account";
import { sharedAttacked } from "../shared";

attacksWithAccount(sharedAttacked);
