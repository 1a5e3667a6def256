import { growthOfLists } from './growth/growthOfLists';
void growthOfLists({ quick: true, say() {}, scratch: '/work/main/.bench', outside: '/tmp' }).then((c) => console.log(JSON.stringify(c)), (e) => console.log('FAILED', e));
