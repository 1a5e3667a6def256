import { wordList, type Line } from './lines';

/** Words for answers within the earlier email, by place or by colour. */
const POINTERS = wordList(
	`below | inline | in-line | in line with your | interspersed | in red | in blue | in green | unten | untenstehend | im text |
	in rot | in blau | in grün | in deiner mail | ci-dessous | ci dessous | ci-après | plus bas | en rouge | en bleu | en vert |
	dans le texte | más abajo | a continuación | en rojo | en azul | en verde | en el texto | di seguito | qui sotto | più sotto |
	in rosso | in blu | in verde | nel testo | abaixo | a seguir | em vermelho | em azul | em verde | no texto | hieronder |
	onderstaand | in rood | in blauw | in het groen | in de tekst | poniżej | na czerwono | na niebiesko | na zielono | w treści |
	w tekście | nedan | i rött | i blått | i grönt | i texten | nedenfor | nedenunder | med rødt | i rødt | med blåt | med blått |
	i teksten | alla oleva | katso alla | vastaukset alla | punaisella | sinisellä | tekstin seassa | níže | červeně | modře | v textu | nižšie | alább | lejjebb |
	pirossal | kékkel | mai jos | cu roșu | cu albastru | în text | aşağıda | kırmızı | mavi ile | metin içinde | ниже | красным |
	синим | в тексте | нижче | червоним | у тексті | παρακάτω | με κόκκινο | להלן | למטה | באדום | أدناه | بالأحمر | bên dưới |
	di bawah`,
);

/** The same, in languages that write no blanks between words. */
const JOINED_POINTERS = wordList(
	`下面 | 下方 | 如下 | 红色 | 紅色 | 蓝色 | 藍色 | 下記 | 以下に | 赤字 | 青字 | インライン | 아래 | 빨간 | 파란 | 인라인`,
);

const POINTER = new RegExp(
	`(?<!\\p{L})(?:${POINTERS.join('|')})(?!\\p{L})|${JOINED_POINTERS.join('|')}`,
	'iu',
);

// Who answers within the earlier email says so soon.
const MAX_LINES = 200;

/**
 * Whether the author says that answers are within the earlier email. Where nothing marks what is quoted, they cannot be told
 * from it, so all of it is kept.
 *
 * @param lines those above the earlier email
 */
export function pointsBelow(lines: readonly Line[]): boolean {
	return lines.slice(0, MAX_LINES).some(({ text, isQuoted }) => !isQuoted && POINTER.test(text));
}
