/**
 * How a question or a request to the reader sounds: a row a language, and the neighbours that share
 * its words. `asks`: in a sentence with a question mark, it wants the reader's word. `requests`:
 * wants it without a question mark. `offers`: needs nothing. `reports`: was asked elsewhere.
 */
type Language = { asks: RegExp; requests: RegExp; offers: RegExp; reports: RegExp }

const ENGLISH: Language = {
  asks: /\b(shall|should|may|can|could|must) (I|we)\b|\b(can|could|would) (someone|somebody|anyone)\b|\b(do|would|will|could|can|are|have|did) you\b|\bwant (me|us)\b|\bwhich (one|of|option|do|would|should|way|approach)\b|\byou(['’]d| would)? (want|prefer|like|think|rather|agree|have in mind)\b|\byour (call|preference|choice|ok|okay|approval|thoughts)\b|\b(ok|okay|fine|good|ready|safe|all right) (to|if I|with you|for you)\b|\bis (that|this|it) (ok|okay|fine|all right|correct|right|what you)\b|^\W*(go ahead|proceed|continue|ok|okay|agreed|sound good|sounds good)\b|\bor should\b|^\W*should (the|this|that|these|those|it|they)\b|\b(what|how|where|when|who) should\b|\b(supposed|meant|intended) to\b|\bintended\b/i,
  requests:
    /(\b(let me know|tell me)|^\W*(say|advise|specify|indicate)) (please )?(which|what|whether|how(?! (it|that|this|things|they) )|when|where|who|your (choice|preference|decision|answer)|if I (should|may|can)|if (that|this|it)( i|['’])s (ok|okay|fine|all right)|if you(['’]d| would)? (like|want|prefer) me to (go ahead|proceed|continue|start|apply|merge|deploy|push|delete))\b|\bplease (confirm|choose|pick|select|decide|specify|clarify|advise|approve|answer|reply|provide|share|paste|tell|give me|let me know (which|what|whether|how))\b|\b(waiting|wait|await|awaiting|hold(ing)?) (here )?(for |on )?(your|you to|a (yes|decision|go-ahead) from you)\b|\bI(['’]ll| will)? need (your|you to|a decision|to know|to hear)\b|\b(it['’]?s |the (choice|decision) is )?(your call|up to you|yours to (make|decide))\W*$|\b(say|give me) the word\b|(^\W*|\b(please|to|just) )(reply|answer|type|say) ["“'`]?(yes|no|ok|y|go|[1-9]|a)\b|\bpending your\b|^\W*(just |simply )?confirm (and|before|whether|that|which)\b|\bI(['’]ll| will)? need\b.*\bbefore I can\b|\bif (that|this|it)( i|['’])s (ok|okay|fine|all right) (with|for|by) you\W*$|\b(I )?can(no|['’])t (continue|proceed|go on) (until|without) (you|your)\b/i,
  offers:
    /\b(anything|something) else\b|\b(any|have|more|further) questions\b|\bif (anything|something) (is|looks|seems) (unclear|off|wrong|odd)\b|\bwhat could (possibly )?go wrong\b|\bwho (knew|knows|cares|would have)\b|\b(isn|wasn|aren|doesn|don)['’]t (it|that|they|we)\?$|^\W*why not\?|\bneed (anything|more|further|help)\b|\bhow (can|may) I help\b|\bwhat(['’]s| is) next\?$/i,
  reports:
    /\b(I|we)(['’]ve| have| just| also| then)* (asked|messaged|sent|wrote|written|put|posted|forwarded|passed)\b|\b(asks|asked|asking|sent to|question (to|for)|waiting for) @(?!human)[a-z]|\b(you|user|issue|ticket|report|customer|reviewer) (asked|wanted to know|asks)\b|\byour (original )?question\b|\b(says|said|reads|asks|prompts): /i,
}

const OTHERS: Language[] = [
  {
    // German and Dutch
    asks: /\b(soll(en|te|ten)?|darf|dürfen|kann|können|muss) (ich|wir|das|es|die|der)\b|\b(möchtest|willst|hättest|meinst|findest|bevorzugst|kannst|könntest|hast|bist|magst) du\b|\b(wollen|möchten|hätten|haben|können|könnten|würden|bevorzugen) Sie\b|\bwelche[nrsm]?\b|\b(dir|dich|euch|ihr|du|Ihnen)\b|\beinverstanden\b|\b(ist|wäre|geht) das (so )?(ok|okay|in ordnung|recht|richtig)\b|\b(zal|moet|mag|kan) ik\b|\b(wil|heb|kun|vind) je\b|\bwilt u\b|\bwelke\b/i,
    requests:
      /\b(sag|sagen sie|gib|geben sie|lass|lassen sie|teile?|teilen sie) (mir|mich)?\b.*\b(ob|welche\w*|wie|was|wann|wo|wissen, (ob|wie|was|welch\w*)|bescheid, (ob|wie|was|wann|welch\w*))\b|\bbitte (bestätig|entscheid|wähl|sag|antworte|nenn|gib|geben|teil)|\b(ich )?(warte|wartet) auf (dein|ihr|euer|eure)\w*\b|\bich brauche (dein|ihr|eure|noch dein|noch ihr)\w*\b|\bdeine entscheidung\W*$|\blaat (me|het) weten (welke|of ik|wat|hoe)\b|\bik wacht op (je|uw)\b/i,
    offers:
      /\b(sonst|noch) (noch )?(etwas|was|fragen)\b|\bweitere? (fragen|hilfe|wünsche)\b|\bfragen (hast|haben|auftauchen)\b|\bnog (iets|vragen)\b|\biets anders\b/i,
    reports:
      /\b(habe?|haben) .*(gefragt|geschickt|geschrieben|gestellt)\b|\b(fragte|fragt) @?\w|\bvraag aan @|\bgevraagd\b|\bfrage (an|von) @/i,
  },
  {
    // French
    asks: /\b(dois|puis|peux|devrais)-(je|on)\b|\b(faut-il|est-ce que (je|tu|vous|cela|ça))\b|\b(voulez|veux|souhait|préfér|préfèr)|\b(vous|tu|toi)\b|\bd['’]accord\b|\bon (continue|garde|y va|fait)\b|\b(laquelle|lequel|quelle option)\b|\bje (continue|procède|lance|supprime|fusionne|m['’]y mets)\b/i,
    requests:
      /\b(dis|dites|indique|indiquez|précise|précisez|faites|fais)[- ](moi|le[- ]moi)?\b.*\b(si (je|vous voulez que je|tu veux que je|cela|ça)|quel\w*|laquelle|lequel|ce que|comment|savoir (si je|quel\w*|laquelle|ce que))\b|\b(merci de|veuillez) (me )?(confirm|choisir|préciser|indiquer|dire|valider|répondre)|\bj['’]attends (votre|ta|ton|vos)\b|\bà (vous|toi) de (choisir|décider|voir)\b|\bj['’]ai besoin de (votre|ta|ton)\b/i,
    offers:
      /\bautre chose\b|\b(d['’]autres|des|une|de) questions?\b|\bbesoin d['’](aide|autre)|\bn['’]hésite/i,
    reports: /\bj['’]ai (demandé|posé|envoyé|écrit)\b|\bquestion (à|pour) @|\ba demandé\b/i,
  },
  {
    // Spanish and Portuguese
    asks: /\b(debo|debería|deberíamos|puedo|podemos|quieres|quiere|quieren|prefieres|prefiere|continúo|sigo|procedo|elimino|hago|lo hago|aplico)\b|\bte (parece|gustaría|sirve|va)\b|\ble (parece|gustaría)\b|\b(estás?|está) de acuerdo\b|\b(cuál|tú|usted|ustedes)\b|\b(devo|posso|podemos|quer|queres|prefere|preferes|você|vocês|gostaria|concorda|prossigo|continuo|faço)\b|\b(qual|tudo bem) (se|das?|dos?|opção|você)\b/i,
    requests:
      /\b(dime|dígame|avísame|avíseme|indícame|indíqueme|diga-me|me diga|me avise|avise-me|me diz|diz-me|hazme saber|háganme saber)\b.*\b(si (debo|puedo|quieres que|procedo|sigo)|se (devo|posso|quer que)|cuál\w*|qué|cómo|qual|quais|como|o que|quando|cuándo)\b|\bpor favor,? (confirm|elig|eleg|elij|decid|indic|escolh|respond|dime|diga|aclar|especific)|\b(espero|aguardo|quedo a la espera de|fico no aguardo d[ao]|esperando|aguardando) (a )?(tu|su|sua|seu|vuestra)\b|\b(necesito|preciso d[ae]) (tu|su|sua|seu)\b|\b(tú decides|usted decide|você decide|a decisão é sua|la decisión es tuya)\b/i,
    offers:
      /\b(algo|alguna cosa|algum|alguma coisa|mais alguma coisa|cualquier) (más|mais|otra|cosa|outra|duda)\b|\bmais alguma coisa\b|\b(preguntas?|dudas?|dúvidas?|perguntas?)\b/i,
    reports:
      /\b(he|hemos) (preguntado|enviado|escrito)\b|\b(pregunté|perguntei|preguntó|perguntou|enviei|envié)\b|\bpregunta a @|\bpergunta (a|para|ao) @/i,
  },
  {
    // Italian
    asks: /\b(devo|dovrei|posso|possiamo|vuoi|vuole|volete|preferisci|preferisce|preferite|procedo|continuo|vado avanti|sei d['’]accordo|va bene)\b|\b(ti|tu|lei|voi|vi) (va|sembra|piace|pare|andrebbe)\b|\bquale\b/i,
    requests:
      /\b(dimmi|mi dica|fammi sapere|mi faccia sapere|indicami|fatemi sapere)\b.*\b(se (devo|posso|vuoi che|procedo|va bene)|quale|quali|come|cosa|quando)\b|\b(per favore|ti prego di|si prega di),? (conferma|scegli|decidi|indica|rispond|specific)|\b(attendo|aspetto) (la |il )?(tua|tuo|sua|suo|una tua|vostra)\b|\b(decidi tu|a te la scelta|scegli tu)\b|\bho bisogno (della|del) (tua|tuo|sua|suo)\b/i,
    offers: /\b(altro|qualcos['’]altro|domande|dubbi)\b/i,
    reports:
      /\b(ho|abbiamo) (chiesto|inviato|scritto|mandato)\b|\bha chiesto\b|\bdomanda (a|per) @/i,
  },
  {
    // Russian, Ukrainian and Polish
    asks: /(^|[^\p{L}])(мне|нам|вы|ты|вам|тебе|хотите|хочешь|предпоч\p{L}*|стоит ли|можно|продолж\p{L}*|согласн\p{L}*|устраивает|подходит|какой|какую|каким|ви|хочете|чи)(?!\p{L})|\bczy (mam|mogę|chcesz|wolisz|powinienem|możemy)\b|\b(wolisz|chcesz|któr\p{L}+)/iu,
    requests:
      /(скажи(те)?|сообщи(те)?|дай(те)? знать|напиши(те)?|уточни(те)?|подтверди(те)?|выбери(те)?|реши(те)?|повідомте|підтвердіть)(?!\p{L})(?!.*(если (будут|есть|возникнут|что|нуж)))|жду (вашего|твоего|ваш|твой|вашу|твою|подтвержд|решени|ответа)|решать (вам|тебе)|(нужно|нужен|нужна|требуется) (ваш|твой|твоё|ваше|твоя|ваша)|\b(daj(cie)? znać|powiedz|potwierdź|wybierz)(?!\p{L})(?!.*(gdyby|jeśli (masz|coś)))|\bczekam na (twoj|pańsk)/iu,
    offers:
      /(что-нибудь|что-то|чем) (ещё|еще)|вопрос(ы|ов)|нужна помощь|чем(-то|-нибудь) помочь|чем (я )?могу помочь|coś jeszcze|pytania/iu,
    reports: /(спросил|спросила|задал|отправил|написал|спитав|zapytał|wysłał)/iu,
  },
  {
    // Japanese, Chinese and Korean: a question may end without a question mark.
    asks: /ますか|でしょうか|ましょうか|ですか|どちら|どれ|您|你|我(应该|应不应该|要|可以|是否|需要)|要不要|需要我|是否|(可以|好|行|对)吗|哪(个|種|种|一|些)|까요|나요|습니까|시겠/,
    requests:
      /(ましょうか|でしょうか|ますか|ですか|しますか)。?$|(教えて|お知らせ|知らせて|選んで|お選び|決めて|お決め|ご指示|ご確認の上|ご回答|ご判断|承認して|ご承認)(を)?(お願い|いただ|くだ|下さ)|お待ちして(い|お)ります|(请|請)(告诉|告訴|确认|確認|选择|選擇|决定|指示|回复|回覆|提供|批准|指定)|等(待)?(您|你)的?(确认|決定|决定|回复|答复|指示|批准)|(吗|呢)[。.]?$|由(您|你)决定|(알려|선택해|확인해|결정해|말씀해|승인해) ?주(세요|십시오|시)/,
    offers:
      /他に(何か|ご|も)|ほかに|ご(質問|不明)|何か(あれば|ありましたら|お)|其他(问题|需要|需求)|还有(什么|其他|别的)|有(任何|什么)?(问题|疑问|需要)|(다른|더) (도움|필요|질문|궁금)|궁금한/,
    reports:
      /(聞きました|尋ねました|質問しました|送りました|問い合わせ(ました|中)|问了|问过|已(经)?(向|问|询问|发)|발문|물어봤|물었|보냈)/,
  },
]

/** The sentence behind a question answers it: nobody is asked. */
export const ANSWERS =
  /^\W*(yes|no|yep|nope|sure|because|then(?! (I|we)\b)|it (is|does|was|did)|they (are|do|were|did))\b(?! (matter|need|use|idea))/i

/** The sentence behind a question says what hangs on the answer, or that it is open. */
export const LEAVES_OPEN =
  /^\W*(if (so|not|yes|no|it (is|does)|they (are|do))\b|otherwise\b|(and )?then I\b|(right|for) now\b|currently\b|at the moment\b|without (it|that|this|them)\b|there (is|are) (two|three|four|several|no|nothing|also)\b|(so far|until then|meanwhile),? I\b|I (have|had|['’]ve)? ?(left|kept|stopped|paused|not|found|could not|couldn['’]t|have not|haven['’]t|did not|didn['’]t)\b)|\b(for now|until then|until you|in the meantime|untouched)\b/i

/** A writer's own choice, which follows on a question that is left to the reader. */
export const LEANS =
  /^\W*((but )?(I|we)(['’]d| would)? (lean|recommend|suggest|prefer|go for|take|favou?r|think)|my (recommendation|suggestion|preference)|ich (würde|empfehle|bevorzuge)|je (recommande|préfère|suggère)|(yo )?(recomiendo|prefiero|sugiero)|eu (recomendo|prefiro|sugiro)|io (consiglio|preferirei)|я бы|私は|我(建议|推荐|倾向))/i

/** All languages: what an agent writes may mix them. */
export const LANGUAGES: Language[] = [ENGLISH, ...OTHERS]
